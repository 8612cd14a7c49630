"""Record data/random_operators.json: ``cd tests && GLOG_v=4 <oracle python> -m oracle.record_random``.

Each case is an expression over the names of `namespace`, evaluated after ``set_seed(11)``; of every
tensor the type, shape, first values and the SHA-256 of all bytes are kept, of an exception its type.
"""

from __future__ import annotations

import hashlib
import json
import pathlib
from typing import Any

import numpy as np

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "random_operators.json"

# `p = ...;` before an expression names an object; `again(n, call)` is the list of n calls.
CASES = """
ops.uniform((2,2),f32([1,5]),f32([2,6]))
ops.uniform((2,),f32([[1],[5]]),f32([2,6]))
ops.uniform((2,0),f32(5),f32(6))
ops.uniform((),f32(5),f32(6))
ops.uniform(i64([2,2]),f32(5),f32(6))
ops.uniform((5000,),i32(-7),i32(91),dtype=ms.int32)
again(3, lambda: ops.uniform((4,),f32(0),f32(1),seed=2))
ops.rand()
ops.rand([4,2])
ops.rand(3,dtype=ms.float64)
ops.rand_like(f16([1,2,3]))
ops.rand_like(i64([1,2,3]),dtype=ms.float16)
ops.rand_like(f64([1,2]),2)
ops.randn((3,),dtype=ms.float64)
ops.randn_like(i64([1,2,3]))
ops.randn_like(f16([1,2,3]))
ops.randint(0,10,(3,),dtype=ms.int8)
ops.randint(0,10,())
ops.randint(0,10,(3,),3)
ops.randint_like(i32([1,2,3]),0,10)
again(3, lambda: ops.randint(0,1000,(4,)))
ops.normal((2,),2,True)
ops.normal((2,),i32(2),i32(1))
ops.normal((2,),f64(2),f64(1))
ops.normal((2,),f16(2),f16(1))
ops.normal((3,2),f32([2,4]),f32([1,0.1]))
ops.normal((1,2),f32([[2],[4]]),f32([1,0.1]))
ops.normal((),f32(2),f32(0.5))
again(3, lambda: ops.normal((3,),0.0,1.0,seed=4))
ops.standard_normal(i32([2,2]))
ops.standard_normal((0,2))
ops.standard_laplace(i64([2,2]))
ops.laplace((4,),f32(1),f32(2))
ops.laplace((2,2),f32([1,3]),f32([2,1]),seed=2)
~ ops.random_gamma(i32([4]),f32([1,3]),seed=3)
~ ops.random_gamma(i32([4]),f16([1,3]),seed=3)
~ ops.random_gamma(i64([2,3]),f64([[7.3,0.4]]))
~ ops.random_gamma(i64([20000]),f32([0.07,1,2.5,40]),seed=1)
ops.random_poisson(i32([6]),f32(3),seed=4)
ops.random_poisson(i64([2]),f32([3,20]),seed=4,dtype=ms.int32)
ops.random_poisson(i64([2]),f32([3,20]),seed=4,dtype=ms.float16)
ops.random_poisson(i64([2]),i32([0,20]),seed=4)
ops.random_poisson(i64([2]),f64([[3],[20]]))
ops.random_categorical(f16([[.1,.2,.3,.4],[1,2,3,4]]),8,4,ms.int16)
ops.random_categorical(f64([[.1,.2,.3,.4],[1,2,3,4]]),8,-4)
f32([[.1,.2,.3,.4],[1,2,3,4]]).random_categorical(8,seed=4)
ops.bernoulli(ones(12),f32(0.3),seed=9)
ops.bernoulli(ones(12),0.3,seed=0)
ops.bernoulli(ones(12).astype(ms.bool_),0.5,seed=2)
ops.bernoulli(ones(12).astype(ms.int8),0.5,seed=2)
ops.bernoulli(ones(3,4).astype(ms.float64),f32([0.5]),seed=2)
p=ops.Bernoulli(seed=2,offset=3); again(2, lambda: p(ones(8),f32([0.5]*8)))
ops.multinomial(f32([[.1,.2,.3,.4],[1,0,0,0]]),3,False)
ops.multinomial(f64([.1,.2,.3,.4]),3,False)
ops.multinomial(i32([1,2,3,4]),3)
ops.multinomial(f32([0,0,0]),3)
ops.multinomial(f32([.1,.2]),0)
again(3, lambda: f32([.1,.2,.3,.4]).multinomial(6))
ops.multinomial_with_replacement(f32([[1]*10,[1]*10]),2,5,12,True)
ops.multinomial_with_replacement(f64([list(range(1,11)),list(range(10,0,-1))]),2,5,10,False)
ops.multinomial_with_replacement(f16([1]*10),-3,5,6,True)
ops.multinomial_with_replacement(f32([1]*10),i64(3),i64(-5),6,True)
ops.choice_with_mask(arange(12)%3==0,2,seed=2)
ops.choice_with_mask(arange(16).reshape(4,4)>3,5)
ops.choice_with_mask(arange(4)>9,2)
ops.shuffle(arange(12).reshape(6,2).astype(ms.float32),seed=3)
ops.shuffle(i64(5))
again(3, lambda: ops.shuffle(arange(9)))
ops.randperm(10,dtype=ms.uint8)
ops.randperm(10,dtype=ms.float16)
ops.randperm(i64([5]))
ops.randperm(1000,3,dtype=ms.int32)
~ ops.log_uniform_candidate_sampler(i64([[1,7],[0,4],[3,3]]),2,5,True,5)
~ ops.log_uniform_candidate_sampler(i64([[1,7],[0,4],[3,3]]),2,5,True,50,seed=3)
~ ops.log_uniform_candidate_sampler(i64([[1]]),1,3000,False,100000,seed=2)
~ ops.uniform_candidate_sampler(i64([[1],[3],[4],[6],[3]]),1,3,False,4,1)
~ ops.uniform_candidate_sampler(i32([[1],[3]]),1,8,True,8,1)
~ ops.uniform_candidate_sampler(i64([[1]]),1,3000,True,100000,7)
p=ops.UniformReal(seed=1,seed2=2); [p((3,)),p(i64([3])),p((3,)),p(i64([3])),p((2,)),p((3,))]
p=ops.UniformInt(seed=1,seed2=2); [p((3,),i32(0),i32(50)),p((3,),i32(0),i32(20)),p((2,),i32(0),i32(50))]
p=ops.StandardNormal(seed=1,seed2=2); [p((3,)),p((3,)),p((2,)),p((3,))]
p=ops.StandardLaplace(seed=1,seed2=2); [p((3,)),p((3,)),p((2,)),p((3,))]
p=ops.Multinomial(seed=3,seed2=4,dtype=ms.int64); w=f32([.1,.2,.3,.4]); [p(w,5),p(w,5),p(w,4),p(w,5)]
p=ops.MultinomialWithReplacement(6,True); w=f32([1]*10); s=i64(2); [p(w,s,i64(5)),p(w,s,i64(5)),p(w,s,i64(6))]
p=ops.RandomCategorical(); w=f32([[.1,.2,.3,.4]]); [p(w,6,4),p(w,6,4),p(w,6,5),p(w,3,4),p(w,6,4)]
p=ops.RandomChoiceWithMask(count=3,seed=1,seed2=2); again(3, lambda: p(arange(12)%3==0)[0])
p=ops.RandomShuffle(seed=1,seed2=2); again(3, lambda: p(arange(6)))
p=ops.RandpermV2(seed=3,offset=1,dtype=ms.int32); again(2, lambda: p(10))
p=ops.RandomPoisson(seed=1,seed2=2); [p(i64([3]),f32(2)),p(i64([3]),f32(2)),p(i64([3]),f32(3)),p(i64([4]),f32(2))]
p=ops.RandomPoisson(seed=1,seed2=2,dtype=ms.float16); p(i64([3]),f32([2,3]))
~ p=ops.RandomGamma(seed=1,seed2=2); [p(i64([2]),f64([7.3])),p(i64([2]),f64([7.3])),p(i64([3]),f64([7.3]))]
~ p=ops.RandomGamma(seed=0,seed2=2); p(i64([2]),f32([2]))
p=ops.TruncatedNormal(ms.float64,3); again(2, lambda: p(i64([5,1])))
p=ops.TruncatedNormal(ms.float16,3); p(i64([5,1]))
p=ops.TruncatedNormal(seed=-3); p(i64([3,1]))
p=ops.ParameterizedTruncatedNormal(1,2); q=f32s(1,2,-1,2.5); again(2, lambda: p(i64([2,400]),*q))
p=ops.ParameterizedTruncatedNormal(1,2); q=f32s(0,1,-2,2); again(2, lambda: p(i64([2,401]),*q))
~ p=ops.ParameterizedTruncatedNormal(1,2); q=f32s(0,1,3,5); p(i64([2,400]),*q)
~ p=ops.ParameterizedTruncatedNormal(1,2); q=f64s(0,1,-5,-3); again(2, lambda: p(i64([2,1]),*q))
~ p=ops.ParameterizedTruncatedNormal(1,2); q=f64s(0,1,-5,1); p(i64([2,4]),*q)
~ p=ops.ParameterizedTruncatedNormal(1,2); q=f64s(0,1,0.1,10); p(i64([2,4]),*q)
p=ops.UniformCandidateSampler(1,20,True,30,seed=5); again(2, lambda: p(i64([[1],[3]]))[0])
p=ops.UniformCandidateSampler(1,2,True,3,5,True); again(2, lambda: p(i64([[1]]))[0])
p=ops.UniformCandidateSampler(1,2,True,3,5,True); again(2, lambda: p(i64([[1],[2]]))[0])
p=ops.LogUniformCandidateSampler(1,6,True,400,seed=1); again(2, lambda: p(i64([[1],[3]]))[0])
"""

ERRORS = """
ops.uniform((2,3),1.0,2.0)
ops.uniform((2,3),f32(1),2.0)
ops.uniform((2,),i64(1),i64(2))
ops.uniform((2,),i64(1),i64(20),dtype=ms.int64)
ops.uniform((2,),f32(1),f32(20),dtype=ms.int32)
ops.uniform((2,),f16(1),f16(20),dtype=ms.float16)
ops.uniform((3,),f32([1,5]),f32([2,6]))
ops.uniform((2,),i32([1,5]),i32([20,60]),dtype=ms.int32)
ops.uniform((2,),i32(5),i32(5),dtype=ms.int32)
ops.uniform((2,-1),f32(5),f32(6))
ops.uniform((2,),f32(5),f32(6),seed=-1)
ops.uniform((2,),f32(5),f32(6),seed=1.5)
ops.uniform((2,),f32(5),f32(6),seed=True)
ops.rand(3,dtype=ms.int32)
ops.rand(2.5)
ops.rand(-1)
ops.rand("a")
ops.rand(2,(3,))
ops.rand(3,seed=-1)
ops.rand_like(i64([1,2,3]))
ops.rand_like([1,2])
ops.randn(3,dtype=ms.int32)
ops.randn(-2)
ops.randn_like(f32([1]),dtype=ms.int32)
ops.randint(0,10,3)
ops.randint(0,10,[3])
ops.randint(0,10.5,(3,))
ops.randint(True,10,(3,))
ops.randint(5,5,(3,))
ops.randint(0,2**40,(3,))
ops.randint(0,10,(3,),dtype=ms.float32)
ops.randint(0,10,(-2,))
ops.randint_like(f32([1,2,3]),0,10)
ops.randint_like([1],0,10)
ops.normal([2],f32(2),f32(0.5))
ops.normal(2,f32(2),f32(0.5))
ops.normal((2,),"a",f32(0.5))
ops.normal((3,),f32([2,4]),f32([1,0.1]))
ops.normal((2,),f32(1),f32(0.5),seed=-1)
ops.standard_normal((2,-1))
ops.standard_laplace((-2,))
ops.standard_laplace((3.5,))
ops.laplace((4,),1.0,2.0)
ops.laplace((2,),f64([1,3]),f64([2,1]))
ops.random_gamma(i32([4]),i32([1,3]),seed=3)
ops.random_gamma(i64([4]),1.0,seed=3)
ops.random_gamma(i64([-4]),f32([1]),seed=3)
ops.random_poisson(i64([2]),f32([3]),seed=4,dtype=ms.int8)
ops.random_poisson(i64([-2]),f32([3]),seed=4)
ops.random_poisson(i64([2]),f32([3]),seed=-4)
ops.random_categorical(f32([[.1,.2]]),8,4,ms.float32)
ops.random_categorical(i32([[1,2]]),8,4)
ops.random_categorical(f32([.1,.2]),8,seed=4)
ops.random_categorical(f32([[.1,.2]]),0,seed=4)
ops.random_categorical(f32([[.1,.2]]),2.5,seed=4)
ops.random_categorical(f32([[.1,.2]]),2,seed=2.5)
ops.bernoulli(ones(3,4),f32([0.3]*4),seed=9)
ops.bernoulli(ones(4),1.3,seed=2)
ops.bernoulli(ones(4),0.3,seed=-2)
ops.bernoulli(ones(4),0.5,seed=2.5)
ops.bernoulli(ones(4),"a",seed=2)
ops.multinomial(f32([.1,.2,.3,.4]),5,False)
ops.multinomial(f32([[[.1,.2]]]),3)
ops.multinomial(f32(0.3),2)
ops.multinomial(f32([.1,.2]),-1)
ops.multinomial(f32([.1,.2]),2.5)
ops.multinomial(f32([.1,.2]),True)
ops.multinomial(f32([.1,.2]),2,seed=-1)
ops.multinomial([.1,.2],2)
ops.multinomial_with_replacement(f32([1]*10),2,5,11,False)
ops.multinomial_with_replacement(i32([1]*10),2,5,11,True)
ops.multinomial_with_replacement(f32([1,-1]),2,5,11,True)
ops.multinomial_with_replacement(f32([0,0]),2,5,11,True)
ops.multinomial_with_replacement(f32([[[1]]]),2,5,11,True)
ops.multinomial_with_replacement(f32([1,1]),2,5,0,True)
ops.multinomial_with_replacement(f32([1,1]),2.5,5,2,True)
ops.choice_with_mask(i64(1)>0,2,seed=2)
ops.choice_with_mask(ones(4),2,seed=2)
ops.choice_with_mask(ones(4)>0,0,seed=2)
ops.choice_with_mask(ones(4)>0,2.5,seed=2)
ops.choice_with_mask(ones(4)>0,2,seed=-1)
ops.shuffle([1,2])
ops.shuffle(arange(3),seed=-3)
ops.randperm(0)
ops.randperm(2.5)
ops.randperm(True)
ops.randperm(10,seed=-2)
ops.randperm(10,offset=-1)
ops.randperm(10,seed=2.5)
ops.randperm(10,dtype=ms.bool_)
ops.randperm(300,dtype=ms.uint8)
ops.uniform_candidate_sampler(i64([[1]]),1,9,True,8,1)
ops.uniform_candidate_sampler(f32([[1]]),1,3,False,4,1)
ops.uniform_candidate_sampler(i64([1]),1,3,False,4,1)
ops.uniform_candidate_sampler(i64([[1]]),2,3,False,4,1)
ops.uniform_candidate_sampler(i64([[1]]),1,0,False,4,1)
ops.uniform_candidate_sampler(i64([[1]]),1,3,False,4,-1)
ops.uniform_candidate_sampler(i64([[1]]),1,3,1,4,1)
ops.log_uniform_candidate_sampler(i64([[1]]),1,8,True,7,seed=1)
ops.log_uniform_candidate_sampler(i64([[1]]),2,8,True,70,seed=1)
ops.log_uniform_candidate_sampler(i64([[1]]),1,8,True,70,seed=-1)
ops.UniformReal(seed=-1)
ops.UniformReal(seed=1.5)
ops.UniformReal(seed=True)
ops.UniformReal(seed=1)((-3,))
ops.UniformInt(seed=1)((3,),0,50)
ops.UniformInt(seed=1)((3,),i64(0),i64(50))
ops.UniformInt(seed=1)((3,),i32([0]),i32([50]))
ops.StandardNormal(seed=-1)
ops.RandomGamma(seed=-1)
ops.Gamma(seed=-1)
ops.Poisson(seed=-1)
ops.Multinomial(seed=-3)
ops.Multinomial(dtype=ms.int16)
ops.RandomShuffle(seed=-1)
ops.RandomCategorical(ms.float16)
ops.RandomChoiceWithMask(count=0)
ops.RandomChoiceWithMask(count=2.5)
ops.MultinomialWithReplacement(6,1)
ops.MultinomialWithReplacement(-6,True)
ops.TruncatedNormal(ms.int32)
ops.RandomPoisson(dtype=ms.int8)
ops.Bernoulli(seed=-2)
ops.Bernoulli(seed=2.5)
ops.Randperm(max_length=0)
ops.Cauchy([2,-2])
ops.Cauchy([2],median=1)
ops.LogNormalReverse(1,2)
ops.LogNormalReverse()(i32([1]))
p=ops.ParameterizedTruncatedNormal(1,2); p(i64([3,1]),*f32s(0,1,2,-2))
p=ops.ParameterizedTruncatedNormal(1,2); p(i64([3,1]),*f32s(0,-1,-2,2))
p=ops.ParameterizedTruncatedNormal(1,2); p(i64([3]),*f32s(0,1,-2,2))
p=ops.ParameterizedTruncatedNormal(1,2); p(i64([3,2]),f32([0,1]),*f32s(1,-2,2))
p=ops.ParameterizedTruncatedNormal(1,2); p(i64([3,2]),f32(0),*f64s(1,-2,2))
ms.set_seed(-1)
ms.set_seed(2**32)
ms.set_seed(1.5)
ms.set_seed(True)
ms.manual_seed(1.5)
ms.set_rng_state(i32([1]))
"""


def namespace(ms: Any) -> dict[str, Any]:
    """The names of a case, bound to a framework."""

    def maker(dtype: str) -> Any:
        return lambda value: ms.Tensor(np.array(value, dtype))

    def makers(dtype: str) -> Any:
        return lambda *values: [ms.Tensor(np.array(v, dtype)) for v in values]

    return {
        "ms": ms,
        "ops": ms.ops,
        "f16": maker("float16"),
        "f32": maker("float32"),
        "f64": maker("float64"),
        "i32": maker("int32"),
        "i64": maker("int64"),
        "f32s": makers("float32"),
        "f64s": makers("float64"),
        "ones": lambda *shape: ms.Tensor(np.ones(shape, "float32")),
        "arange": lambda n: ms.Tensor(np.arange(n)),
        "again": lambda n, call: [call() for _ in range(n)],
    }


def encode(value: Any) -> Any:
    """Type, shape, values and hash of a tensor; a list of these for several."""
    if isinstance(value, (list, tuple)):
        return [encode(v) for v in value]
    array = value.asnumpy()
    return {
        "dtype": str(array.dtype),
        "shape": list(array.shape),
        "values": array.ravel()[:24].tolist(),
        "sha256": hashlib.sha256(array.tobytes()).hexdigest(),
    }


def evaluate(ms: Any, text: str) -> Any:
    """The value of a case; exceptions pass."""
    names = namespace(ms)
    ms.set_seed(11)
    *statements, expression = text.split("; ")
    for statement in statements:
        exec(statement, names)
    return eval(expression, names)


def main() -> None:
    import mindspore as ms

    ms.set_context(pynative_synchronize=True)
    cases: list[dict[str, Any]] = []
    for line in CASES.strip().splitlines():
        near, text = line.startswith("~ "), line.removeprefix("~ ")
        case: dict[str, Any] = {"expr": text, "result": encode(evaluate(ms, text))}
        # logarithms, sines and powers of the mathematics library are in it
        cases.append({**case, "near": True} if near else case)
    for text in ERRORS.strip().splitlines():
        try:
            evaluate(ms, text)
        except Exception as error:
            cases.append({"expr": text, "error": type(error).__name__})
        else:
            raise SystemExit(f"no error: {text}")
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    DATA.write_text(f'{{"mindspore":"{ms.__version__}","cases":[\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()

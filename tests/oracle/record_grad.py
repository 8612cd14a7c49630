"""Record data/oracle/grad.json: ``cd tests && GLOG_v=4 <oracle python> -m oracle.record_grad``."""

from __future__ import annotations

from .recording import framework, record, write
from .replay import expression

PRELUDE = """
x = f32(1, 2)
y = f32(3, 4)
v = f32(1, 10)
def f(a, b):
    return a * a * b
def f1(a):
    return a ** 3
def sq(a):
    return a * a
def multi(a, b):
    return a * b, a + b, a * a
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(f32(2, 3), name="w")
        self.b = Parameter(f32(4, 5), name="b")
        self.frozen = Parameter(f32(6, 7), name="frozen", requires_grad=False)
        self.count = 0
    def construct(self, a):
        self.count += 1
        return a * self.w * self.frozen + self.b
net = Net()
foreign = Parameter(f32(1, 1), name="foreign")
"""
CASES: list[dict] = []


def g(name: str, expr: str, setup: str = "", **more) -> None:
    item = {"id": name, "expr": expr, **more}
    if setup:
        item["setup"] = setup + "\n"
    CASES.append(item)


def grad_family() -> None:
    for position in (
        "0",
        "1",
        "(0,)",
        "(1,)",
        "(0,1)",
        "(1,0)",
        "True",
        "False",
        "2",
        "-1",
        "(0,0)",
        "(0,-1)",
        "[0]",
        "'0'",
        "0.0",
        "()",
        "(0,2)",
        "((0,),)",
        "None",
    ):
        g(f"grad-position-{position}", f"ms.grad(f,{position})(x,y)")
        g(f"value_and_grad-position-{position}", f"ms.value_and_grad(f,{position})(x,y)")
    g("grad-default", "ms.grad(f)(x,y)")
    weights = {
        "tuple": "net.trainable_params()",
        "list1": "[net.w]",
        "single": "net.w",
        "empty": "[]",
        "parametertuple": "ParameterTuple([net.w,net.b])",
        "frozen": "[net.frozen]",
        "foreign": "[foreign]",
        "order": "[net.b,net.w]",
        "twice": "[net.w,net.w]",
        "five": "5",
        "tensors": "[x]",
        "str": "'w'",
        "tuple-type": "(net.w,net.b)",
    }
    for label, text in weights.items():
        for position in ("None", "0", "(0,)"):
            g(f"weights-{label}-position-{position}", f"ms.grad(net,{position},{text})(x)")
        g(f"value-weights-{label}", f"ms.value_and_grad(net,None,{text})(x)")
        g(f"value-both-weights-{label}", f"ms.value_and_grad(net,0,{text})(x)")
    for position in ("0", "1", "(0,1)"):
        for kind in ("grad", "value_and_grad"):
            g(f"{kind}-aux-{position}", f"ms.{kind}(multi,{position},None,True)(x,y)")
            g(f"{kind}-noaux-{position}", f"ms.{kind}(multi,{position})(x,y)")
            slip = {
                "defect": "the id of a single position other than 0 is not joined to its gradient"
            }
            g(
                f"{kind}-ids-{position}",
                f"ms.{kind}(f,{position},return_ids=True)(x,y)",
                **(slip if position == "1" else {}),
            )
    g("aux-one-output", "ms.grad(f,0,has_aux=True)(x,y)")
    g("aux-two-outputs", "ms.grad(lambda a:(a*a,a+1),0,has_aux=True)(x)")
    g("aux-nested", "ms.value_and_grad(lambda a:(a*a,(a+1,[a*3])),0,has_aux=True)(x)")
    g("aux-not-bool", "ms.grad(f,0,has_aux=1)(x,y)")
    g(
        "aux-weights",
        "ms.value_and_grad(lambda a:(net(a),a*2),None,net.trainable_params(),has_aux=True)(x)",
    )
    g("ids-weights", "ms.grad(net,0,[net.w,net.b],return_ids=True)(x)")
    g("ids-weights-only", "ms.grad(net,None,[net.w,net.b],return_ids=True)(x)")
    g("ids-weight-single", "ms.grad(net,None,net.w,return_ids=True)(x)")
    g("get_grad-position", "ms.get_grad(ms.grad(f,(0,1),return_ids=True)(x,y),1)")
    g("get_grad-weight", "ms.get_grad(ms.grad(net,0,[net.w,net.b],return_ids=True)(x),net.b)")
    g("get_grad-missing", "ms.get_grad(ms.grad(f,(0,1),return_ids=True)(x,y),5)")
    g("get_grad-without-ids", "ms.get_grad(ms.grad(f,(0,1))(x,y),0)")
    g("sens", "ms.grad(sq,0,sens_param=True)(x,v)")
    g("sens-value", "ms.value_and_grad(sq,0,sens_param=True)(x,v)")
    g("sens-tuple", "ms.grad(multi,0,sens_param=True)(x,y,(v,v,v))")
    g("sens-two-positions", "ms.grad(f,(0,1),sens_param=True)(x,y,v)")
    g("sens-weights", "ms.grad(net,None,[net.w],sens_param=True)(x,v)")
    g("not-callable", "ms.grad(5)(x)")
    g("not-callable-early", "ms.grad(5) is not None")


def unusual() -> None:
    for name, expr in {
        "index": "ms.grad(lambda a:a[0]*a[1])(x)",
        "unused-input": "ms.grad(lambda a,b:a*2,(0,1))(x,y)",
        "all-unused": "ms.grad(lambda a:f32(1.,2.),0)(x)",
        "stop-part": "ms.grad(lambda a:ops.stop_gradient(a)*a)(x)",
        "stop-all": "ms.grad(lambda a:ops.stop_gradient(a*a))(x)",
        "stop-number": "ops.stop_gradient(5)",
        "stop-tuple": "ms.grad(lambda a:ops.stop_gradient((a,a*a))[1]*a)(x)",
        "numpy-branch": "ms.grad(lambda a:Tensor(a.asnumpy()*2)*a)(x)",
        "numpy-all": "ms.grad(lambda a:Tensor(a.asnumpy()*2))(x)",
        "int-input": "ms.grad(lambda a:a*2)(i32(1,2))",
        "int64-input": "ms.grad(lambda a:a*2)(i64(1,2))",
        "int-times-float": "ms.grad(lambda a,b:a*b,(0,1))(x,i32(1,2))",
        "bool-mask": "ms.grad(lambda a,m:a*m,(0,1))(x,b1(1,0))",
        "cast-int-out": "ms.grad(lambda a:a.astype(ms.int32))(x)",
        "bool-out": "ms.grad(lambda a:a>1)(x)",
        "constant-out": "ms.grad(lambda a:f32(5))(x)",
        "none-out": "ms.grad(lambda a:None)(x)",
        "number-out": "ms.grad(lambda a:3.0)(x)",
        "str-out": "ms.grad(lambda a:'x')(x)",
        "list-out": "ms.grad(lambda a:[a*a,a])(x)",
        "dict-out": "ms.grad(lambda a:{'a':a*a,'b':a})(x)",
        "nested-out": "ms.grad(lambda a:(a*a,(a,3*a)))(x)",
        "mixed-out": "ms.grad(lambda a:(a*a,5,None,'s'))(x)",
        "number-argument": "ms.grad(lambda a,k:a*k,(0,1))(x,3.0)",
        "number-only": "ms.grad(lambda a,k:a*k,1)(x,3.0)",
        "tuple-argument": "ms.grad(lambda p:p[0]*p[1])((x,y))",
        "list-argument": "ms.grad(lambda p:p[0]*p[1])([x,y])",
        "dict-argument": "ms.grad(lambda p:p['a']*2)({'a':x})",
        "ndarray-argument": "ms.grad(lambda p:Tensor(p)*2)(np.ones(2,np.float32))",
        "keyword-argument": "ms.grad(lambda a,b:a*b)(x,b=y)",
        "keyword-only": "ms.grad(lambda a:a*a)(a=x)",
        "none-argument": "ms.grad(lambda a,b:a*a,(0,1))(x,None)",
        "scalar": "ms.grad(sq)(Tensor(3.0))",
        "float16": "ms.grad(sq)(f16(1,2))",
        "float64": "ms.grad(sq)(f64(1,2))",
        "bfloat16": "ms.grad(sq)(bf16(1,2))",
        "mixed-dtypes": "ms.grad(lambda a,b:a*b,(0,1))(f16(1,2),f32(3,4))",
        "non-scalar": "ms.grad(lambda a:a*y)(x)",
        "same-twice": "ms.grad(f,(0,1))(x,x)",
        "no-arguments": "ms.grad(lambda:f32(1))()",
        "broadcast": "ms.grad(lambda a,b:a*b,(0,1))(x,Tensor(np.ones((3,2),np.float32)))",
        "index-mask": "ms.grad(lambda a:a[a>1]*3)(x)",
        "index-list": "ms.grad(lambda a:a[[1,1,0]]*f32(1,2,3))(x)",
        "loop": "ms.grad(lambda a:a*a*a if a.sum()>2 else a)(x)",
        "parameter-argument": "ms.grad(lambda a:a*a)(net.w)",
        "empty": "ms.grad(sq)(Tensor(np.zeros((0,),np.float32)))",
        "abs-zero": "ms.grad(ops.abs)(f32(0,-1,2))",
        "sqrt-zero": "ms.grad(ops.sqrt)(f32(0,4))",
        "relu-zero": "ms.grad(ops.relu)(f32(0,-1,2))",
        "max-tie": "ms.grad(lambda a:a.max())(f32(1,3,3))",
        "maximum-tie": "ms.grad(ops.maximum,(0,1))(f32(1,3),f32(1,2))",
        "clamp-edge": "ms.grad(lambda a:ops.clamp(a,1.0,2.0))(f32(0,1,1.5,2,3))",
        "norm-zero": "ms.grad(lambda a:ops.norm(a))(f32(0,0))",
        "pow-zero": "ms.grad(lambda a:a**2)(f32(0,1))",
        "sign": "ms.grad(ops.sign)(f32(-1,0,2))",
        "floor": "ms.grad(ops.floor)(f32(-1.5,0,2))",
        "where-nan": "ms.grad(lambda a:ops.where(a>0,ops.log(a),a))(f32(0,1))",
        "prod-zero": "ms.grad(lambda a:ops.prod(a))(f32(0,2,3))",
        "cumprod": "ms.grad(lambda a:ops.cumprod(a,0))(f32(1,2,3))",
        "std": "ms.grad(lambda a:a.std())(f32(1,2,4))",
        "sort": "ms.grad(lambda a:ops.sort(a)[0]*f32(1,2,3))(f32(3,1,2))",
        "topk": "ms.grad(lambda a:ops.topk(a,2)[0])(f32(3,1,2))",
        "gather": "ms.grad(lambda a:ops.gather(a,i32(1,1,0),0)*f32(1,2,3))(x)",
    }.items():
        g(name, expr)


def runs() -> None:
    count = "class C(nn.Cell):\n  def __init__(self):\n    super().__init__()\n    self.n=0\n  def construct(self,a):\n    self.n+=1\n    return a*a\nc=C()\n"
    for name, text in {
        "value_and_grad-runs-once": "ms.value_and_grad(c)(x)",
        "set_grad-reuse": "c.set_grad();c(x);r=ms.grad(c)(x)",
        "set_grad-second-grad": "c.set_grad();c(x);ms.grad(c)(x);r=ms.grad(c)(x)",
        "grad-after-call": "c(x);r=ms.grad(c)(x)",
    }.items():
        defect = (
            {"defect": "agar runs one forward per gradient transform"}
            if name == "grad-after-call"
            else {}
        )
        g(name, "c.n", count + text, **defect)
    g(
        "batchnorm-statistics-once",
        "bn.moving_mean",
        "bn=nn.BatchNorm1d(2);bn.set_train();ms.value_and_grad(bn,None,bn.trainable_params())(f32(1,2,3,4).reshape(2,2))",
    )


def operation() -> None:
    for flags in ("", "get_all=True", "get_by_list=True", "get_all=True,get_by_list=True"):
        label = flags or "plain"
        if "by_list" in flags:
            for weights in (
                "net.trainable_params()",
                "[net.w]",
                "net.w",
                "[]",
                "ParameterTuple([net.b])",
                "[foreign]",
            ):
                g(
                    f"GradOperation-{label}-{weights}",
                    f"ops.GradOperation({flags})(net,{weights})(x)",
                )
            g(f"GradOperation-{label}-no-list", f"ops.GradOperation({flags})(net)(x)")
            g(
                f"GradOperation-{label}-sens",
                f"ops.GradOperation({flags},sens_param=True)(net,[net.w])(x,v)",
            )
        else:
            g(f"GradOperation-{label}", f"ops.GradOperation({flags})(f)(x,y)")
            g(f"GradOperation-{label}-one-input", f"ops.GradOperation({flags})(sq)(x)")
            g(f"GradOperation-{label}-number", f"ops.GradOperation({flags})(lambda a,k:a*k)(x,3.0)")
            g(
                f"GradOperation-{label}-sens",
                f"ops.GradOperation({flags}{',' if flags else ''}sens_param=True)(f)(x,y,v)",
            )
            g(
                f"GradOperation-{label}-sens-tuple",
                f"ops.GradOperation({flags}{',' if flags else ''}sens_param=True)(multi)(x,y,(v,v,v))",
            )
            g(f"GradOperation-{label}-cell", f"ops.GradOperation({flags})(net)(x)")
    for name, text in {
        "sens-scalar": "ops.GradOperation(sens_param=True)(f)(x,y,3.0)",
        "sens-shape": "ops.GradOperation(sens_param=True)(f)(x,y,f32(1,2,3))",
        "sens-missing": "ops.GradOperation(sens_param=True)(f)(x,y)",
        "sens-0d": "ops.GradOperation(sens_param=True)(f)(x,y,Tensor(2.0))",
        "flag-type": "ops.GradOperation(get_all=1)",
        "flag-type-str": "ops.GradOperation(sens_param='x')",
        "unknown-flag": "ops.GradOperation(foo=True)",
        "no-inputs": "ops.GradOperation()(lambda:f32(1))()",
        "weights-type": "ops.GradOperation(get_by_list=True)(net,5)(x)",
    }.items():
        g(f"GradOperation-{name}", text)


def higher() -> None:
    for name, text in {
        "second": "ms.grad(ms.grad(f1))(x)",
        "third": "ms.grad(ms.grad(ms.grad(lambda a:a**4)))(x)",
        "mixed-partial": "ms.grad(lambda a,b:ms.grad(f,(0,1))(a,b)[1])(x,y)",
        "grad-of-value_and_grad": "ms.grad(lambda a:ms.value_and_grad(f1)(a)[1])(x)",
        "value_and_grad-of-grad": "ms.value_and_grad(ms.grad(f1))(x)",
        "second-weights": "ms.grad(lambda a:ms.grad(net,0)(a),None,[net.w])(x)",
        "GradOperation-second": "ops.GradOperation()(ops.GradOperation()(f1))(x)",
        "dense-second": "ms.grad(lambda a:ms.grad(lambda b:ops.tanh(b).sum())(a))(x)",
        "sigmoid-second": "ms.grad(ms.grad(ops.sigmoid))(x)",
        "exp-second": "ms.grad(ms.grad(ops.exp))(x)",
        "sin-second": "ms.grad(ms.grad(ops.sin))(x)",
    }.items():
        g(f"higher-{name}", text)
    cell = "s=lambda a:(a**3).sum()\nA=f32(1,2,3,4).reshape(2,2)\ndef row(a):\n  return a.sum()\ndef two(a):\n  return a*a,a+1\ndef s(a):\n  return (a**3).sum()\ndef mul2(a,b):\n  return a*b\n"
    for name, text in {
        "jvp": "ms.jvp(f1,x,f32(1,0))",
        "jvp-two": "ms.jvp(f,(x,y),(v,v))",
        "jvp-list": "ms.jvp(f,[x,y],[v,v])",
        "jvp-multi": "ms.jvp(two,x,v)",
        "jvp-aux": "ms.jvp(two,x,v,has_aux=True)",
        "vjp": "ms.vjp(f1,x)[0]",
        "vjp-apply": "ms.vjp(f1,x)[1](f32(1,1))",
        "vjp-two": "ms.vjp(f,x,y)[1](f32(1,1))",
        "vjp-weights": "ms.vjp(net,x,weights=(net.w,net.b))[1](f32(1,1))",
        "vjp-aux": "ms.vjp(two,x,has_aux=True)[2]",
        "vjp-multi": "ms.vjp(two,x)[1](v,v)",
        "jacrev": "ms.jacrev(f1)(x)",
        "jacfwd": "ms.jacfwd(f1)(x)",
        "jacrev-two": "ms.jacrev(f,(0,1))(x,y)",
        "jacfwd-two": "ms.jacfwd(f,(0,1))(x,y)",
        "jacrev-multi": "ms.jacrev(two)(x)",
        "jacfwd-multi": "ms.jacfwd(two)(x)",
        "jacrev-aux": "ms.jacrev(two,has_aux=True)(x)",
        "jacfwd-aux": "ms.jacfwd(two,has_aux=True)(x)",
        "jacrev-none": "ms.jacrev(f1,None)(x)",
        "hessian-rev-rev": "ms.jacrev(ms.jacrev(s))(x)",
        "hessian-fwd-rev": "ms.jacfwd(ms.jacrev(s))(x)",
        "jacrev-matrix": "ms.jacrev(row)(A)",
        "jacrev-position1": "ms.jacrev(f,1)(x,y)",
        "vmap": "ms.vmap(row)(A)",
        "vmap-axis1": "ms.vmap(row,1)(A)",
        "vmap-none": "ms.vmap(mul2,(0,None))(A,x)",
        "vmap-out1": "ms.vmap(mul2,(0,None),1)(A,x)",
        "vmap-two": "ms.vmap(mul2)(A,A)",
        "vmap-nested": "ms.vmap(ms.vmap(sq))(A)",
        "vmap-grad": "ms.vmap(ms.grad(row))(A)",
        "vmap-cell": "ms.vmap(nn.ReLU())(A)",
        "vmap-negative": "ms.vmap(row,-1)(A)",
        "vmap-tuple-out": "ms.vmap(two)(A)",
        "vmap-all-none": "ms.vmap(row,None)(A)",
        "vmap-out-of-range": "ms.vmap(row,5)(A)",
        "vmap-sizes": "ms.vmap(mul2)(A,f32(1,2,3))",
        "vmap-in-axes-length": "ms.vmap(mul2,(0,))(A,A)",
    }.items():
        g(f"functional-{name}", text, cell)


def custom() -> None:
    base = "class B(nn.Cell):\n  def __init__(self):\n    super().__init__()\n    self.w=Parameter(f32(2,2),name='w')\n  def construct(self,a,b):\n    return a*b*self.w\n  def bprop(self,a,b,out,dout):\n    return {}\nc=B()\n"
    for name, text in {
        "bprop-tuple": "dout*10,dout*20",
        "bprop-list": "[dout*10,dout*20]",
        "bprop-none": "dout*10,None",
        "bprop-three": "dout*10,dout*20,dout*30",
        "bprop-one": "(dout*10,)",
        "bprop-bare": "dout*10",
        "bprop-cast": "dout.astype(ms.float16)*10,dout",
        "bprop-shape": "ops.zeros((3,)),dout",
        "bprop-out": "out,dout",
        "bprop-inputs": "a,b",
    }.items():
        g(name, "ms.grad(c,(0,1))(x,y)", base.format(text))
    g("bprop-weights", "ms.grad(c,0,[c.w])(x,y)", base.format("dout*10,dout*20"))
    g("bprop-upstream", "ms.grad(lambda a,b:c(a,b)*3,(0,1))(x,y)", base.format("dout*10,dout*20"))
    g(
        "bprop-tuple-output",
        "ms.grad(lambda a:c(a)[0]*5)(x)",
        "class B(nn.Cell):\n  def construct(self,a):\n    return a*2,a*3\n  def bprop(self,a,out,dout):\n    return dout[0]*out[1]+dout[1]*100\nc=B()",
    )
    g(
        "bprop-number",
        "ms.grad(lambda a:c(a,4))(x)",
        "class B(nn.Cell):\n  def construct(self,a,k):\n    return a*k\n  def bprop(self,a,k,out,dout):\n    return dout*k*10,None\nc=B()",
    )
    g(
        "bprop-arity",
        "ms.grad(c)(x)",
        "class B(nn.Cell):\n  def construct(self,a):\n    return a*2\n  def bprop(self,a):\n    return a\nc=B()",
    )
    g(
        "hook-tensor",
        "ms.grad(h)(x)",
        "def h(a):\n  b=a*2\n  b.register_hook(lambda d:d*10)\n  return b*3",
    )
    g(
        "hook-tensor-none",
        "ms.grad(h)(x)",
        "def h(a):\n  b=a*2\n  b.register_hook(lambda d:None)\n  return b*3",
    )
    g(
        "hook-backward-op",
        "ms.grad(h)(x)",
        "hk=ops.HookBackward(lambda d:(d[0]*10,))\ndef h(a):\n  return hk(a*2)*3",
    )
    hooks = "class R(nn.Cell):\n  def construct(self,a):\n    return a*2\nr=R()\nlog=[]\n"
    g("hook-forward", "r(x)", hooks + "r.register_forward_hook(lambda c,i,o:o+100)")
    g("hook-forward-pre", "r(x)", hooks + "r.register_forward_pre_hook(lambda c,i:(i[0]+1,))")
    g("hook-forward-pre-bare", "r(x)", hooks + "r.register_forward_pre_hook(lambda c,i:i[0]+1)")
    g("hook-forward-none", "r(x)", hooks + "r.register_forward_hook(lambda c,i,o:None)")
    g("hook-remove", "r(x)", hooks + "h=r.register_forward_hook(lambda c,i,o:o+100);h.remove()")
    g(
        "hook-backward",
        "ms.grad(r)(x)",
        hooks + "r.register_backward_hook(lambda c,gi,go:(gi[0]*10,))",
    )
    g(
        "hook-backward-none",
        "ms.grad(r)(x)",
        hooks + "r.register_backward_hook(lambda c,gi,go:None)",
    )
    g(
        "hook-backward-pre",
        "ms.grad(r)(x)",
        hooks + "r.register_backward_pre_hook(lambda c,go:(go[0]*10,))",
    )
    g(
        "hook-order",
        "log",
        hooks
        + "r.register_forward_pre_hook(lambda c,i:log.append('pre'));r.register_forward_hook(lambda c,i,o:log.append('fwd'));r.register_backward_hook(lambda c,gi,go:log.append('bwd'));r.register_backward_pre_hook(lambda c,go:log.append('bpre'));ms.grad(r)(x).asnumpy()",
    )
    g(
        "hook-two-forward",
        "r(x)",
        hooks
        + "r.register_forward_hook(lambda c,i,o:o+1);r.register_forward_hook(lambda c,i,o:o*10)",
    )
    g("hook-not-callable", "r.register_forward_hook(5)", hooks)
    g("hook-arity", "r(x)", hooks + "r.register_forward_hook(lambda c:None)")
    g("no-backward-method", "x.backward()")
    g("no-requires_grad", "x.requires_grad")
    g("no-grad-attribute", "x.grad")
    g("no-no_grad", "ms.no_grad")


def main() -> None:
    ms = framework()
    for family in (runs, unusual, grad_family, operation, higher, custom):
        family()
    result, dropped = record(ms, CASES, expression, PRELUDE)
    write("grad", result, prelude=PRELUDE, no_cpu_kernel=[d["id"] for d in dropped])


if __name__ == "__main__":
    main()

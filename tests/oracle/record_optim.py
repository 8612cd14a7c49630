"""Record data/oracle/optim.json: ``cd tests && GLOG_v=4 <oracle python> -m oracle.record_optim``.

Three kinds of case: ``"optimizer"`` (replay.optimizer), ``"schedule"`` and ``"error"``
(replay.expression).
"""

from __future__ import annotations

from .recording import framework, record, write
from .replay import expression, optimizer

CASES: list[dict] = []


def optim(name: str, expr: str, **more) -> None:
    CASES.append({"id": name, "kind": "optimizer", "expr": expr, **more})


def value(name: str, expr: str, kind: str = "schedule", **more) -> None:
    CASES.append({"id": name, "kind": kind, "expr": expr, **more})


GROUPS = "g=[{'params':[w],'lr':0.05},{'params':[b]}]"
GROUPS_DECAY = "g=[{'params':[w],'weight_decay':0.02},{'params':[b],'lr':0.2}]"
GROUPS_ORDER = "g=[{'params':[b],'lr':0.05},{'params':[w]},{'order_params':[w,b]}]"
GROUPS_CENTRAL = "g=[{'params':[w],'grad_centralization':True},{'params':[b]}]"


def optimizers() -> None:
    dynamic = "lr=[0.1,0.05,0.2,0.02,0.01,0.3]"
    for name, head, lr in (
        ("SGD", "nn.SGD(params", "0.1"),
        ("Momentum", "nn.Momentum(params,learning_rate={lr},momentum=0.9", None),
        ("Adam", "nn.Adam(params", "0.05"),
        ("AdamWeightDecay", "nn.AdamWeightDecay(params", "0.05"),
        ("RMSProp", "nn.RMSProp(params", "0.05"),
        ("Adagrad", "nn.Adagrad(params", "0.05"),
        ("Adadelta", "nn.Adadelta(params", "0.5"),
        ("AdaMax", "nn.AdaMax(params", "0.05"),
        ("ASGD", "nn.ASGD(params", "0.05"),
        ("Rprop", "nn.Rprop(params", "0.05"),
        ("FTRL", "nn.FTRL(params", "0.05"),
        ("LazyAdam", "nn.LazyAdam(params", "0.05"),
        ("ProximalAdagrad", "nn.ProximalAdagrad(params", "0.05"),
        ("Lamb", "nn.Lamb(params", "0.05"),
    ):

        def make(rate: str, extra: str = "", group: str | None = None, head=head) -> str:
            text = head.replace("{lr}", rate) if "{lr}" in head else f"{head},learning_rate={rate}"
            if group:
                text = text.replace("(params", "(" + group, 1)
            return text + (("," + extra) if extra else "") + ")"

        rate = lr or "0.1"
        optim(f"{name}", make(rate))
        optim(f"{name}-weight-decay", make(rate, "weight_decay=0.1"))
        if name == "FTRL":  # MindSpore refuses dynamic and grouped rates here
            continue
        optim(f"{name}-list-lr", make("lr"), setup=dynamic)
        optim(f"{name}-cell-lr", make("nn.ExponentialDecayLR(0.1,0.5,2)"))
        optim(f"{name}-groups", make(rate, "", "g"), setup=GROUPS)
        optim(f"{name}-groups-decay", make(rate, "weight_decay=0.01", "g"), setup=GROUPS_DECAY)
        if name not in ("AdamWeightDecay", "ASGD", "Rprop", "Lamb"):
            optim(f"{name}-loss-scale", make(rate, "loss_scale=8.0"))
    optim("SGD-default", "nn.SGD(params)")
    optim("SGD-momentum", "nn.SGD(params,0.1,0.9)")
    optim("SGD-dampening", "nn.SGD(params,0.1,0.9,dampening=0.5)")
    optim("SGD-nesterov", "nn.SGD(params,0.1,0.9,nesterov=True)")
    optim("SGD-all", "nn.SGD(params,0.1,0.9,0.0,0.05,True,2.0)")
    optim("SGD-groups-order", "nn.SGD(g,0.1)", setup=GROUPS_ORDER)
    ignored = "grad_centralization has no effect on CPU"
    optim("SGD-groups-centralization", "nn.SGD(g,0.1)", setup=GROUPS_CENTRAL, defect=ignored)
    optim(
        "SGD-group-lr-list",
        "nn.SGD(g,0.1)",
        setup="g=[{'params':[w],'lr':[0.1,0.2,0.3,0.4,0.5,0.6]},{'params':[b]}]",
    )
    optim(
        "SGD-group-lr-cell",
        "nn.SGD(g,0.1)",
        setup="g=[{'params':[w],'lr':nn.PolynomialDecayLR(0.1,0.01,4,0.5)},{'params':[b],'lr':0.2}]",
    )
    optim("SGD-tensor-lr", "nn.SGD(params,Tensor(0.1,ms.float32))")
    optim("SGD-tensor-1d-lr", "nn.SGD(params,f32(0.1,0.2,0.3,0.4,0.5,0.6))")
    optim("SGD-tuple-lr", "nn.SGD(params,(0.1,0.2,0.3,0.4,0.5,0.6))")
    optim("SGD-int-lr", "nn.SGD(params,1)")
    optim("SGD-iterator-params", "nn.SGD(filter(lambda p:True,params),0.1)")
    optim("SGD-parameter-tuple", "nn.SGD(ParameterTuple(params),0.1)")
    optim("SGD-weight-decay-int", "nn.SGD(params,0.1,weight_decay=1)")
    optim(
        "SGD-weight-decay-cell",
        "nn.SGD(params,0.1,weight_decay=D())",
        setup="class D(nn.Cell):\n  def construct(self,step):\n    return Tensor(0.1,ms.float32)*(step.astype(ms.float32)+1)[0] if step.ndim else Tensor(0.1,ms.float32)*(step.astype(ms.float32)+1)\n",
    )
    optim("Momentum-positional", "nn.Momentum(params,0.1,0.9,0.01,4.0)")
    optim(
        "Momentum-nesterov",
        "nn.Momentum(params,0.1,0.9,use_nesterov=True)",
        defect="the flag is ignored on CPU",
    )
    optim("Momentum-zero", "nn.Momentum(params,0.1,0.0)")
    optim("Momentum-groups-order", "nn.Momentum(g,0.1,0.9)", setup=GROUPS_ORDER)
    optim(
        "Momentum-groups-centralization",
        "nn.Momentum(g,0.1,0.9,weight_decay=0.1)",
        setup=GROUPS_CENTRAL,
        defect=ignored,
    )
    optim("Adam-default", "nn.Adam(params)")
    optim("Adam-betas", "nn.Adam(params,0.1,0.8,0.9,1e-2)")
    optim("Adam-nesterov", "nn.Adam(params,0.1,use_nesterov=True)")
    optim("Adam-amsgrad", "nn.Adam(params,0.1,use_amsgrad=True)")
    optim(
        "Adam-amsgrad-decay", "nn.Adam(params,0.1,use_amsgrad=True,weight_decay=0.1,loss_scale=2.0)"
    )
    optim("Adam-lazy", "nn.Adam(params,0.1,use_lazy=True)")
    optim("Adam-offload", "nn.Adam(params,0.1,use_offload=True)")
    optim("Adam-groups-order", "nn.Adam(g,0.1)", setup=GROUPS_ORDER)
    optim("AdamWeightDecay-default", "nn.AdamWeightDecay(params)")
    optim("AdamWeightDecay-betas", "nn.AdamWeightDecay(params,0.1,0.8,0.9,1e-2,0.1)")
    optim(
        "AdamWeightDecay-groups-zero",
        "nn.AdamWeightDecay(g,0.1,weight_decay=0.1)",
        setup="g=[{'params':[w],'weight_decay':0.01},{'params':[b],'weight_decay':0.0}]",
    )
    optim("RMSProp-default", "nn.RMSProp(params)")
    optim("RMSProp-momentum", "nn.RMSProp(params,0.1,0.8,0.5,1e-3)")
    optim("RMSProp-centered", "nn.RMSProp(params,0.05,centered=True)")
    optim("RMSProp-centered-momentum", "nn.RMSProp(params,0.05,0.8,0.5,1e-3,centered=True)")
    optim("Adagrad-default", "nn.Adagrad(params)")
    optim("Adagrad-accum", "nn.Adagrad(params,0.5,0.1)")
    optim("Adagrad-no-update", "nn.Adagrad(params,0.1,0.1,update_slots=False)")
    optim("FTRL-options", "nn.FTRL(params,0.2,0.1,-0.4,0.01,0.02)")
    optim("FTRL-default", "nn.FTRL(params)")
    optim("ASGD-options", "nn.ASGD(params,0.1,1e-2,0.5,2.0)")
    optim("Rprop-options", "nn.Rprop(params,0.1,(0.4,1.3),(1e-4,1.0))")
    optim("Adadelta-default", "nn.Adadelta(params)")
    optim("Adadelta-options", "nn.Adadelta(params,0.5,0.8,1e-3)")
    optim("AdaMax-options", "nn.AdaMax(params,0.1,0.8,0.9,1e-3)")
    optim("FTRL-loss-scale", "nn.FTRL(params,learning_rate=0.05,loss_scale=8.0)")
    factor = "relative_step=False,warmup_init=False"
    optim("AdaFactor", f"nn.AdaFactor(params,0.05,scale_parameter=False,{factor})")
    optim("AdaFactor-scale", f"nn.AdaFactor(params,0.05,{factor})")
    optim("AdaFactor-beta1", f"nn.AdaFactor(params,0.05,beta1=0.9,{factor})")
    optim(
        "AdaFactor-decay",
        f"nn.AdaFactor(params,0.05,weight_decay=0.1,scale_parameter=False,{factor})",
    )
    optim("AdaFactor-relative", "nn.AdaFactor(params,None)")
    optim("LARS", "nn.LARS(nn.Momentum(params,0.1,0.9),epsilon=1e-5,coefficient=0.02)")
    optim(
        "frozen-parameter",
        "nn.SGD([p for p in [w,b] if p.requires_grad],0.1)",
        setup="b.requires_grad=False",
    )
    optim(
        "float16-parameter",
        "nn.Momentum(params,0.1,0.9)",
        setup="params=[Parameter(t((2,2),0).astype(ms.float16),name='h')]",
    )
    experimental = (
        "SGD(params,0.1)",
        "SGD(params,0.1,momentum=0.9,nesterov=True)",
        "Adam(params,0.1)",
        "Adam(params,0.1,weight_decay=0.1,amsgrad=True)",
        "AdamW(params,0.1)",
        "AdamW(params,0.1,(0.8,0.9),1e-3,0.1)",
        "RMSprop(params,0.1)",
        "Adagrad(params,0.1)",
        "Adadelta(params,0.5)",
        "Adamax(params,0.1)",
        "NAdam(params,0.1)",
        "RAdam(params,0.1)",
        "ASGD(params,0.1)",
        "Rprop(params,0.1)",
    )
    CASES.extend(
        {
            "id": f"experimental-{text}",
            "kind": "experimental",
            "expr": f"ms.experimental.optim.{text}",
        }
        for text in experimental
    )


def schedules() -> None:
    cells = {
        "exponential": "nn.ExponentialDecayLR(0.1,0.9,4)",
        "exponential-stair": "nn.ExponentialDecayLR(0.1,0.9,4,True)",
        "natural-exp": "nn.NaturalExpDecayLR(0.1,0.9,4)",
        "natural-exp-stair": "nn.NaturalExpDecayLR(0.1,0.9,4,is_stair=True)",
        "inverse": "nn.InverseDecayLR(0.1,0.9,4)",
        "inverse-stair": "nn.InverseDecayLR(0.1,0.9,4,True)",
        "cosine": "nn.CosineDecayLR(0.01,0.1,10)",
        "polynomial": "nn.PolynomialDecayLR(0.1,0.01,10,0.5)",
        "polynomial-update": "nn.PolynomialDecayLR(0.1,0.01,10,2.0,True)",
        "warmup": "nn.WarmUpLR(0.1,5)",
    }
    for name, text in cells.items():
        value(
            f"cell-{name}",
            "tuple(c(Tensor(i,ms.int32)) for i in (0,1,2,3,4,5,8,9,10,11,12,20,25))",
            setup=f"c={text}",
        )
    value("cell-step-1d", "nn.CosineDecayLR(0.01,0.1,10)(i32(3))")
    value("cell-step-repr", "repr(nn.CosineDecayLR(0.01,0.1,10))")
    value(
        "cell-custom",
        "tuple(c(Tensor(i,ms.int32)) for i in range(5))",
        setup="class C(nn.learning_rate_schedule.LearningRateSchedule):\n  def __init__(self):\n    super().__init__()\n    self.a=nn.WarmUpLR(0.1,2)\n    self.b=nn.CosineDecayLR(0.0,0.1,4)\n  def construct(self,step):\n    return self.a(step) if step<2 else self.b(step-2)\nc=C()",
    )
    for text in (
        "exponential_decay_lr(0.1,0.9,6,2,1)",
        "exponential_decay_lr(0.1,0.9,7,2,2,True)",
        "natural_exp_decay_lr(0.1,0.9,6,2,2)",
        "natural_exp_decay_lr(0.1,0.9,6,2,2,True)",
        "inverse_decay_lr(0.1,0.5,6,1,1)",
        "inverse_decay_lr(0.1,0.5,6,2,2,True)",
        "cosine_decay_lr(0.01,0.1,6,2,2)",
        "cosine_decay_lr(0.01,0.1,12,3,3)",
        "cosine_decay_lr(0.0,0.1,8,2,4)",
        "polynomial_decay_lr(0.1,0.01,6,2,2,0.5)",
        "polynomial_decay_lr(0.1,0.01,9,2,2,2.0)",
        "polynomial_decay_lr(0.1,0.01,9,2,2,1.0,True)",
        "warmup_lr(0.1,6,2,2)",
        "warmup_lr(0.1,5,1,3)",
        "warmup_lr(0.1,4,2,0)",
        "piecewise_constant_lr([2,5],[0.1,0.05])",
        "piecewise_constant_lr([1,3,4],[1.0,0.5,0.25])",
        "piecewise_constant_lr((2,5),(0.1,0.05))",
    ):
        value(f"list-{text}", f"nn.{text}")


def errors() -> None:
    p = "w=Parameter(t((2,),0),name='w')"
    for name, text in (
        ("lr-negative", "nn.SGD([w],-0.1)"),
        ("lr-str", "nn.SGD([w],'a')"),
        ("lr-none", "nn.SGD([w],None)"),
        ("lr-2d", "nn.SGD([w],t((2,2),0))"),
        ("lr-bool", "nn.SGD([w],True)"),
        ("lr-list-str", "nn.SGD([w],['a'])"),
        ("lr-list-negative", "nn.SGD([w],[-0.1])"),
        ("lr-list-empty", "nn.SGD([w],[])"),
        ("params-empty", "nn.SGD([],0.1)"),
        ("params-tensor", "nn.SGD(t((2,),0),0.1)"),
        ("params-tensors", "nn.SGD([t((2,),0)],0.1)"),
        ("params-none", "nn.SGD(None,0.1)"),
        ("params-single", "nn.SGD(w,0.1)"),
        ("params-twice", "nn.SGD([w,w],0.1)"),
        ("params-same-name", "nn.SGD([w,Parameter(t((2,),0),name='w')],0.1)"),
        ("group-key", "nn.SGD([{'params':[w],'foo':1}],0.1)"),
        ("group-no-params", "nn.SGD([{'lr':0.1}],0.1)"),
        ("group-empty", "nn.SGD([{'params':[]}],0.1)"),
        ("group-mixed", "nn.SGD([{'params':[w]},w],0.1)"),
        ("group-order-missing", "nn.SGD([{'params':[w]},{'order_params':[]}],0.1)"),
        ("group-twice", "nn.SGD([{'params':[w]},{'params':[w]}],0.1)"),
        ("wd-negative", "nn.SGD([w],0.1,weight_decay=-0.1)"),
        ("wd-str", "nn.SGD([w],0.1,weight_decay='a')"),
        ("scale-zero", "nn.SGD([w],0.1,loss_scale=0.0)"),
        ("scale-negative", "nn.SGD([w],0.1,loss_scale=-1.0)"),
        ("scale-int", "nn.SGD([w],0.1,loss_scale=1)"),
        ("momentum-negative", "nn.SGD([w],0.1,momentum=-0.1)"),
        ("momentum-int", "nn.SGD([w],0.1,momentum=1)"),
        ("nesterov-no-momentum", "nn.SGD([w],0.1,nesterov=True)"),
        ("nesterov-dampening", "nn.SGD([w],0.1,0.9,0.5,nesterov=True)"),
        ("dampening-negative", "nn.SGD([w],0.1,0.9,-0.5)"),
        ("nesterov-int", "nn.SGD([w],0.1,0.9,nesterov=1)"),
        ("Momentum-missing", "nn.Momentum([w],0.1)"),
        ("Momentum-int", "nn.Momentum([w],0.1,1)"),
        ("Momentum-negative", "nn.Momentum([w],0.1,-0.9)"),
        ("Momentum-no-lr", "nn.Momentum([w],momentum=0.9)"),
        ("Adam-beta1", "nn.Adam([w],0.1,beta1=1.0)"),
        ("Adam-beta2", "nn.Adam([w],0.1,beta2=0.0)"),
        ("Adam-beta-int", "nn.Adam([w],0.1,beta1=1)"),
        ("Adam-eps-zero", "nn.Adam([w],0.1,eps=0.0)"),
        ("Adam-eps-negative", "nn.Adam([w],0.1,eps=-1.0)"),
        ("Adam-flag", "nn.Adam([w],0.1,use_nesterov=1)"),
        ("Adam-unknown", "nn.Adam([w],0.1,foo=1)"),
        ("AdamWeightDecay-beta", "nn.AdamWeightDecay([w],0.1,beta1=1.5)"),
        ("RMSProp-decay", "nn.RMSProp([w],0.1,decay=-0.5)"),
        ("RMSProp-epsilon", "nn.RMSProp([w],0.1,epsilon=0.0)"),
        ("RMSProp-centered", "nn.RMSProp([w],0.1,centered=1)"),
        ("Adagrad-accum", "nn.Adagrad([w],-0.1)"),
        ("FTRL-power", "nn.FTRL([w],lr_power=0.5)"),
        ("FTRL-accum", "nn.FTRL([w],initial_accum=-0.5)"),
        ("Adadelta-rho", "nn.Adadelta([w],0.1,rho=1.5)"),
        ("ASGD-t0", "nn.ASGD([w],0.1,t0=-1.0)"),
        ("Rprop-etas", "nn.Rprop([w],0.1,(1.5,0.5))"),
        ("AdaMax-eps", "nn.AdaMax([w],0.1,eps=0.0)"),
        ("grads-count", "nn.SGD([w],0.1)((f32(1,2),f32(1,2)))"),
        ("grads-shape", "nn.SGD([w],0.1)((f32(1,2,3),))"),
        ("grads-list", "nn.SGD([w],0.1)([f32(1,2)])"),
        ("grads-dtype", "nn.SGD([w],0.1)((f64(1,2),))"),
        ("grads-f16", "nn.SGD([w],0.1)((f16(1,2),))"),
        ("lr-list-past-end", "[o((f32(1,2),)) for _ in range(4)]"),
    ):
        value(
            f"error-{name}",
            text,
            "error",
            setup=p + ("\no=nn.SGD([w],[0.1,0.2])" if name == "lr-list-past-end" else ""),
        )
    for text in (
        "ExponentialDecayLR(0.1,-0.9,4)",
        "ExponentialDecayLR(-0.1,0.9,4)",
        "ExponentialDecayLR(0.1,0.9,0)",
        "ExponentialDecayLR(0.1,0.9,1.5)",
        "ExponentialDecayLR(1,0.9,4)",
        "ExponentialDecayLR(0.1,0.9,4,1)",
        "CosineDecayLR(0.1,0.01,10)",
        "CosineDecayLR(-0.1,0.1,10)",
        "CosineDecayLR(0.0,0.1,10)",
        "CosineDecayLR(0,0.1,10)",
        "CosineDecayLR(0.1,0.1,10)",
        "CosineDecayLR(0.0,0.1,0)",
        "PolynomialDecayLR(0.1,-0.1,10,0.5)",
        "PolynomialDecayLR(0.1,0.01,10,0.0)",
        "PolynomialDecayLR(0.1,0.01,10,1)",
        "WarmUpLR(-0.1,5)",
        "WarmUpLR(0.1,0)",
        "WarmUpLR(0.1,2.5)",
        "NaturalExpDecayLR(0.1,0.9,-1)",
        "InverseDecayLR(0.1,0.0,4)",
        "piecewise_constant_lr([2,1],[0.1,0.05])",
        "piecewise_constant_lr([2],[0.1,0.05])",
        "piecewise_constant_lr([0],[0.1])",
        "piecewise_constant_lr(2,0.1)",
        "piecewise_constant_lr([2],[1])",
        "piecewise_constant_lr([],[])",
        "exponential_decay_lr(0.1,0.9,0,2,1)",
        "exponential_decay_lr(0.1,0.9,6,2,0)",
        "exponential_decay_lr(0.1,0.9,6,2.0,1)",
        "exponential_decay_lr(0,0.9,6,2,1)",
        "cosine_decay_lr(0.1,0.01,6,2,2)",
        "polynomial_decay_lr(0.1,0.01,6,2,2,-1.0)",
        "warmup_lr(0.1,6,2,-1)",
        "warmup_lr(0.1,6,0,2)",
    ):
        value(f"error-{text}", f"nn.{text}", "error")


def run(ms, case):
    if case["kind"] in ("optimizer", "experimental"):
        return optimizer(ms, case)
    return expression(ms, case)


def main() -> None:
    ms = framework()
    from mindspore.experimental import optim  # noqa: F401  (ms.experimental is not imported by itself)

    optimizers()
    schedules()
    errors()
    result, dropped = record(ms, CASES, run)
    write("optim", result, no_cpu_kernel=[d["id"] for d in dropped])


if __name__ == "__main__":
    main()

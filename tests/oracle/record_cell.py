"""Record data/oracle/cell.json: ``cd tests && GLOG_v=4 <oracle python> -m oracle.record_cell``.

Names and order of parameters, queries, attribute rules, flags, Parameter, text of cells, errors.
All are replay.expression cases.
"""

from __future__ import annotations

from .recording import framework, record, write
from .replay import expression

PRELUDE = """
from collections import OrderedDict
import copy
initializer = ms.common.initializer
class M(nn.Cell):
    def __init__(self, *members, auto_prefix=True, **named):
        super().__init__(auto_prefix=auto_prefix)
        for i, member in enumerate(members):
            setattr(self, 'm' + str(i), member)
        for key, member in named.items():
            setattr(self, key, member)
    def construct(self, x):
        return x
def D(**k):
    return nn.Dense(1, 1, **k)
def P(name=None, n=2, **k):
    return Parameter(ops.ones((n,)), name=name, **k) if name else Parameter(ops.ones((n,)), **k)
def names(cell):
    return [p.name for p in cell.get_parameters()]
def pairs(cell):
    return [(k, p.name) for k, p in cell.parameters_and_names()]
def cells(cell):
    return [(k, type(c).__name__) for k, c in cell.cells_and_names()]
x = f32(1, 2)
"""
CASES: list[dict] = []


def c(family: str, name: str, expr: str, setup: str = "", **more) -> None:
    case = {"id": f"{family}: {name}", "family": family, "expr": expr, **more}
    if setup:
        case["setup"] = setup + "\n"
    CASES.append(case)


def naming() -> None:
    for name, expr, setup in (
        ("parameter-generated", "names(M(x=P()))", ""),
        ("parameter-explicit", "names(M(y=P('other')))", ""),
        ("nested-explicit", "names(M(M(x=P(),y=P('other'))))", ""),
        ("twice-wrapped", "names(M(M(D())))", ""),
        ("rename-visible-inside", "names(d)", "d=D()\nm=M(M(d))"),
        ("two-parents", "(names(a),names(b))", "d=D()\na=M(first=d)\nb=M(second=d)"),
        ("parameter-tuple", "names(M(t=ParameterTuple([P('t0'),P('t1')])))", ""),
        ("parameter-tuple-nested", "names(M(M(t=ParameterTuple([P('t0'),P('t1')]))))", ""),
        ("list-of-parameters", "names(M(t=[P('t0'),P('t1')]))", ""),
        ("list-of-cells", "names(M(t=[D(),D()]))", ""),
        ("no-prefix", "names(M(D(),auto_prefix=False))", ""),
        ("prefix-over-no-prefix", "names(M(M(D(),auto_prefix=False)))", ""),
        ("no-prefix-over-prefix", "names(M(M(D()),auto_prefix=False))", ""),
        ("celllist-no-prefix", "names(nn.CellList([D(),D()],auto_prefix=False))", ""),
        ("insert-child", "(names(m),cells(m))", "m=M()\nm.insert_child_to_cell('conv3',D())"),
        ("sequential", "names(nn.SequentialCell(D(),nn.ReLU(),D()))", ""),
        ("sequential-list", "names(nn.SequentialCell([D(),nn.ReLU(),D()]))", ""),
        ("sequential-ordered", "names(nn.SequentialCell(OrderedDict([('a',D()),('b',D())])))", ""),
        ("celllist", "names(nn.CellList([D(),D()]))", ""),
        ("celldict", "names(nn.CellDict({'a':D(),'b':D()}))", ""),
        ("celllist-nested", "names(M(nn.CellList([D(),nn.SequentialCell(D())])))", ""),
        ("append-celllist-child", "names(m)", "m=M(l=nn.CellList([D()]))\nm.l.append(D())"),
        ("append-sequential-child", "names(m)", "m=M(s=nn.SequentialCell())\nm.s.append(D())"),
        ("append", "names(l)", "l=nn.CellList([D()])\nl.append(D())"),
        ("extend", "names(l)", "l=nn.CellList([D()])\nl.extend([D(),D()])"),
        ("insert", "names(l)", "l=nn.CellList([D(),D()])\nl.insert(1,D(has_bias=False))"),
        ("setitem", "names(l)", "l=nn.CellList([D(),D()])\nl[0]=D(has_bias=False)"),
        ("delitem", "names(l)", "l=nn.CellList([D(has_bias=False),D()])\ndel l[0]"),
        ("sequential-append", "names(l)", "l=nn.SequentialCell(D())\nl.append(D())"),
        (
            "sequential-delitem",
            "(names(l),len(l))",
            "l=nn.SequentialCell(D(),nn.ReLU(),D())\ndel l[0]",
        ),
        ("sequential-setitem", "names(l)", "l=nn.SequentialCell(D(),D())\nl[1]=D(has_bias=False)"),
        (
            "sequential-slice",
            "(names(l[1:]),type(l[1:]).__name__)",
            "l=nn.SequentialCell(D(),nn.ReLU(),D())",
        ),
        (
            "celllist-slice",
            "(len(l[1:]),type(l[1:]).__name__,names(l[1:]))",
            "l=nn.CellList([D(),nn.ReLU(),D()])",
        ),
        ("same-cell-twice", "(names(m),cells(m),pairs(m))", "d=D()\nm=M(d,d)"),
        ("same-cell-in-list", "names(l)", "d=D()\nl=nn.CellList([d,d])"),
        (
            "shared-parameter",
            "names(m)",
            "a=D(has_bias=False)\nb=D(has_bias=False)\nb.weight=a.weight\nm=M(a,b)",
        ),
        (
            "duplicate-names",
            "(names(m),len(m.trainable_params()),list(m.parameters_dict()))",
            "m=M(a=P('w'),b=P('w'))",
        ),
        (
            "celldict-update",
            "(names(m),list(m.keys()))",
            "m=nn.CellDict({'a':D()})\nm.update({'b':D()})",
        ),
        ("celldict-setitem", "names(m)", "m=nn.CellDict()\nm['k']=D()"),
        (
            "celldict-pop",
            "(type(m.pop('a')).__name__,names(m))",
            "m=nn.CellDict({'a':D(),'b':D()})",
        ),
        (
            "network",
            "pairs(m)",
            "m=M(backbone=nn.SequentialCell(nn.Conv2d(1,2,3),nn.BatchNorm2d(2)),head=D())",
        ),
        ("batchnorm-order", "names(nn.BatchNorm2d(2))", ""),
        ("batchnorm-in-parent", "names(M(bn=nn.BatchNorm2d(2)))", ""),
        ("layernorm", "names(nn.LayerNorm((2,)))", ""),
        ("groupnorm", "names(nn.GroupNorm(1,2))", ""),
        ("embedding", "names(nn.Embedding(2,2))", ""),
        ("lstm", "names(nn.LSTM(1,1,num_layers=2,bidirectional=True))", ""),
        ("lstm-in-parent", "names(M(rnn=nn.LSTM(1,1)))", ""),
        ("mha", "names(nn.MultiheadAttention(4,2))", ""),
        ("mha-kdim", "names(nn.MultiheadAttention(4,2,kdim=3,vdim=3))", ""),
        ("encoder-layer", "names(nn.TransformerEncoderLayer(4,2,4))", ""),
        (
            "encoder-in-parent",
            "names(M(e=nn.TransformerEncoder(nn.TransformerEncoderLayer(4,2,4),2)))",
            "",
        ),
        ("with-loss", "names(nn.WithLossCell(M(D()),nn.MSELoss()))", ""),
        (
            "train-one-step",
            "(names(t1),cells(t1))",
            "n=M(D())\nt1=nn.TrainOneStepCell(nn.WithLossCell(n,nn.MSELoss()),nn.Momentum(n.trainable_params(),0.1,0.9))",
        ),
        ("update-prefix", "names(m)", "m=M(D())\nm.update_parameters_name('pre.')"),
        ("set-name", "names(m)", "m=M(D())\nm.m0.weight.name='other'"),
        ("set-param-name-none", "p.name.startswith('Parameter')", "p=P('w')\np.name=None"),
        ("param_prefix", "(m.m0.param_prefix,m.param_prefix)", "m=M(D())"),
        ("conditional-attribute", "names(m)", "m=M(D())\nm.m0=nn.Dense(1,2)"),
        ("attribute-after", "names(m)", "m=M(D())\nm.extra=D()"),
        (
            "buffer",
            "(names(m),list(m.state_dict()))",
            "m=M(D())\nm.register_buffer('b',ops.ones((2,)))",
        ),
    ):
        c("naming", name, expr, setup)


def queries() -> None:
    net = (
        "m=M(nn.SequentialCell(D(),nn.ReLU()),nn.BatchNorm1d(1))\nm.m0[0].bias.requires_grad=False"
    )
    for name, expr in (
        ("trainable", "[p.name for p in m.trainable_params()]"),
        ("untrainable", "[p.name for p in m.untrainable_params()]"),
        ("get", "[p.name for p in m.get_parameters()]"),
        ("get-own", "[p.name for p in m.get_parameters(expand=False)]"),
        ("get-type", "type(m.get_parameters()).__name__"),
        ("dict", "(type(m.parameters_dict()).__name__,list(m.parameters_dict()))"),
        ("and-names", "pairs(m)"),
        ("and-names-prefix", "[k for k,p in m.parameters_and_names('pre')]"),
        ("and-names-own", "[k for k,p in m.parameters_and_names(expand=False)]"),
        ("cells-and-names", "cells(m)"),
        ("cells-prefix", "[k for k,q in m.cells_and_names(name_prefix='pre')]"),
        ("cells", "[type(q).__name__ for q in m.cells()]"),
        ("name_cells", "list(m.name_cells())"),
        ("state_dict", "list(m.state_dict())"),
        ("cls_name", "m.cls_name"),
        ("len-sequential", "len(m.m0)"),
        ("getitem", "type(m.m0[-1]).__name__"),
        ("iter", "[type(q).__name__ for q in m.m0]"),
        ("get_parameters-count", "sum(p.size for p in m.get_parameters())"),
        ("named_parameters", "m.named_parameters()"),
        ("train", "m.train()"),
        ("eval", "m.eval()"),
        ("modules", "m.modules()"),
        ("zero_grad", "m.zero_grad()"),
        ("parameters", "m.parameters()"),
        ("missing", "m.foo"),
        ("check_names", "m.check_names()"),
        ("children", "list(m.name_cells().keys())"),
        ("apply", "m.apply(lambda q:None) is m"),
    ):
        c("query", name, expr, net)
    for name, expr, setup in (
        ("check_names-duplicate", "m.check_names()", "m=M(a=P('w'),b=P('w'))"),
        ("parameter-tuple-duplicate", "ParameterTuple([P('w'),P('w')])", ""),
        ("parameter-tuple-type", "ParameterTuple([5])", ""),
        (
            "parameter-tuple-clone",
            "[p.name for p in ParameterTuple([P('w'),P('v')]).clone(prefix='pre')]",
            "",
        ),
        ("optimizer-duplicate", "nn.SGD(M(a=P('w'),b=P('w')).trainable_params(),0.1)", ""),
        ("optimizer-empty", "nn.SGD([],0.1)", ""),
        ("insert-dot", "m.insert_child_to_cell('a.b',D())", "m=M()"),
        ("insert-empty", "m.insert_child_to_cell('',D())", "m=M()"),
        (
            "insert-existing",
            "type(m.m0).__name__",
            "m=M(D())\nm.insert_child_to_cell('m0',nn.ReLU())",
        ),
        ("insert-attribute", "m.insert_child_to_cell('training',D())", "m=M()"),
        ("insert-int", "m.insert_child_to_cell(1,D())", "m=M()"),
        ("insert-not-cell", "m.insert_child_to_cell('a',5)", "m=M()"),
        ("insert-none", "m.insert_child_to_cell('a',None)", "m=M()"),
        ("insert-param", "names(m)", "m=M()\nm.insert_param_to_cell('q',P())"),
        ("insert-param-explicit", "names(m)", "m=M()\nm.insert_param_to_cell('q',P('w'))"),
        ("insert-param-dot", "m.insert_param_to_cell('a.b',P())", "m=M()"),
        ("insert-param-type", "m.insert_param_to_cell('a',5)", "m=M()"),
        ("sequential-int", "nn.SequentialCell(5)", ""),
        ("celllist-int", "nn.CellList([5])", ""),
        ("celllist-call", "nn.CellList([D()])(x)", ""),
        ("celllist-append-int", "nn.CellList().append(5)", ""),
        ("celldict-int", "nn.CellDict({'a':5})", ""),
        ("celldict-key", "nn.CellDict({5:D()})", ""),
        ("celllist-index", "nn.CellList([D()])[3]", ""),
        ("celllist-str", "nn.CellList([D()])['a']", ""),
        ("sequential-index", "nn.SequentialCell(D())[3]", ""),
        ("celldict-missing", "nn.CellDict({'a':D()})['b']", ""),
        ("sequential-empty-call", "nn.SequentialCell()(x)", ""),
    ):
        c("query", name, expr, setup)


def attributes() -> None:
    for name, expr, setup in (
        (
            "cell-before-init",
            "B()",
            "class B(nn.Cell):\n  def __init__(self):\n    self.d=D()\n    super().__init__()",
        ),
        (
            "parameter-before-init",
            "B()",
            "class B(nn.Cell):\n  def __init__(self):\n    self.p=P()\n    super().__init__()",
        ),
        (
            "int-before-init",
            "B().k",
            "class B(nn.Cell):\n  def __init__(self):\n    self.k=5\n    super().__init__()",
        ),
        (
            "no-super-init",
            "B()(x)",
            "class B(nn.Cell):\n  def __init__(self):\n    pass\n  def construct(self,x):\n    return x",
        ),
        (
            "parameter-gets-tensor",
            "(type(m.p).__name__,m.p.name,m.p is p,m.p.value())",
            "p=P('w')\nm=M(p=p)\nm.p=f32(5,6)",
        ),
        ("parameter-gets-parameter", "names(m)", "m=M(p=P('w'))\nm.p=P('v')"),
        ("parameter-gets-none", "(m.p,names(m))", "m=M(p=P('w'))\nm.p=None"),
        ("parameter-gets-int", "m.p", "m=M(p=P('w'))\nm.p=5"),
        ("parameter-gets-cell", "names(m)", "m=M(p=P('w'))\nm.p=D()"),
        ("cell-gets-cell", "names(m)", "m=M(D())\nm.m0=nn.Dense(1,2,has_bias=False)"),
        ("cell-gets-none", "(m.m0,names(m))", "m=M(D())\nm.m0=None"),
        ("cell-gets-int", "m.m0", "m=M(D())\nm.m0=5"),
        ("cell-gets-parameter", "names(m)", "m=M(D())\nm.m0=P('w')"),
        ("int-gets-cell", "names(m)", "m=M(k=5)\nm.k=D()"),
        ("int-gets-parameter", "names(m)", "m=M(k=5)\nm.k=P()"),
        ("del-cell", "(names(m),cells(m))", "m=M(D(),nn.ReLU())\ndel m.m0"),
        ("del-parameter", "names(m)", "m=M(p=P('w'))\ndel m.p"),
        ("del-missing", "m", "m=M()\ndel m.foo"),
        ("tensor-attribute", "(type(m.t).__name__,names(m))", "m=M(t=f32(1,2))"),
        ("no-construct", "nn.Cell()(x)", ""),
        ("too-few", "D()()", ""),
        ("too-many", "D()(x,x)", ""),
        ("keyword", "M()(x=x)", ""),
        ("unknown-keyword", "M()(y=x)", ""),
        (
            "call-returns-tuple",
            "B()(x)",
            "class B(nn.Cell):\n  def construct(self,a):\n    return a,{'k':a},[a],None,5",
        ),
        ("deepcopy", "(names(q),q.m0.weight is m.m0.weight)", "m=M(D())\nq=copy.deepcopy(m)"),
        (
            "property",
            "m.twice",
            "class B(nn.Cell):\n  def construct(self,a):\n    return a\n  @property\n  def twice(self):\n    return 2\nm=B()",
        ),
        (
            "kwargs-construct",
            "B()(x,k=3)",
            "class B(nn.Cell):\n  def construct(self,a,*,k=1):\n    return a*k",
        ),
        (
            "varargs-construct",
            "B()(x,x,k=x)",
            "class B(nn.Cell):\n  def construct(self,*a,**k):\n    return a[0]+a[1]+k['k']",
        ),
        ("training-default", "D().training", ""),
        ("set_train-returns", "d.set_train() is d", "d=D()"),
        ("set_train-recursive", "(m.training,m.m0.training)", "m=M(D()).set_train()"),
        (
            "set_train-false",
            "(m.training,m.m0.training)",
            "m=M(D()).set_train()\nm.set_train(False)",
        ),
        ("set_train-int", "m.training", "m=M()\nm.set_train(1)"),
        (
            "set_grad",
            "(m.requires_grad,m.m0.requires_grad,m.set_grad() is m)",
            "m=M(D())\nm.set_grad()",
        ),
        ("requires_grad-default", "D().requires_grad", ""),
        (
            "phase",
            "(a,b,m.phase)",
            "m=M()\na=m.phase\nm.set_train()\nb=m.phase\nm.set_train(False)",
        ),
        ("add_flags", "m.get_flags()", "m=M()\nm.add_flags(foo=True)"),
        ("add_flags_recursive", "m.m0.get_flags()", "m=M(D())\nm.add_flags_recursive(foo=True)"),
        ("flags-default", "M().get_flags()", ""),
        ("training-attribute", "m.training", "m=M()\nm.training=True"),
        ("bprop_debug", "M().bprop_debug", ""),
        ("param-recompute", "m.recompute()", "m=M(D())"),
        ("set_comm_fusion", "m.set_comm_fusion(1) is m", "m=M(D())"),
        ("auto_prefix-flag", "M()._auto_prefix", ""),
    ):
        c("attribute", name, expr, setup)


def parameters() -> None:
    for name, expr, setup in (
        ("from-tensor", "Parameter(f64(1,2),name='w')", ""),
        ("from-ndarray", "Parameter(np.array([1,2],np.int16),name='w')", ""),
        ("from-list", "Parameter([1.0,2.0],name='w')", ""),
        ("from-int-list", "Parameter([1,2],name='w')", ""),
        ("from-float", "Parameter(1.5,name='w')", ""),
        ("from-int", "Parameter(3,name='w')", ""),
        ("from-bool", "Parameter(True,name='w')", ""),
        ("from-parameter", "Parameter(P('w'),name='v')", ""),
        ("from-parameter-keeps-name", "Parameter(P('w')).name.startswith('Parameter')", ""),
        ("from-str", "Parameter('a',name='w')", ""),
        ("from-none", "Parameter(None,name='w')", ""),
        ("from-tuple", "Parameter((1.0,),name='w')", ""),
        (
            "from-initializer",
            "Parameter(initializer.initializer('ones',(2,),ms.float32),name='w')",
            "",
        ),
        ("from-empty", "Parameter()", ""),
        ("name-int", "Parameter(f32(1),name=5)", ""),
        ("name-long", "Parameter(f32(1),name='a'*1025)", ""),
        ("name-empty", "Parameter(f32(1),name='').name.startswith('Parameter')", ""),
        ("name-generated", "Parameter(f32(1)).name.startswith('Parameter')", ""),
        ("set-name-int", "p.name", "p=P('w')\np.name=5"),
        ("isinstance", "isinstance(P(),Tensor)", ""),
        ("type-name", "type(P()).__name__", ""),
        (
            "data-type",
            "(type(P().data).__name__,type(P().value()).__name__,type(P()+1).__name__)",
            "",
        ),
        ("copies-source", "p", "a=np.ones(2,np.float32)\np=Parameter(Tensor(a),name='w')\na[0]=9"),
        ("requires_grad-int", "p", "p=P('w')\np.requires_grad=1"),
        ("requires_grad-init-int", "Parameter(f32(1),name='w',requires_grad=1)", ""),
        ("requires_grad", "(P('w').requires_grad,P('w',requires_grad=False).requires_grad)", ""),
        ("set_data-returns", "p.set_data(f32(3,4)) is p", "p=P('w')"),
        ("set_data-dtype", "p", "p=P('w')\np.set_data(i32(3,4))"),
        ("set_data-f64", "p", "p=P('w')\np.set_data(f64(3,4))"),
        ("set_data-ndarray", "p.set_data(np.ones(2,np.float32))", "p=P('w')"),
        ("set_data-list", "p.set_data([1,2])", "p=P('w')"),
        ("set_data-float", "p", "p=P('w')\np.set_data(3.0)"),
        ("set_data-int", "p", "p=P('w')\np.set_data(3)"),
        ("set_data-shape", "p", "p=P('w')\np.set_data(f32(1,2,3))"),
        ("set_data-slice", "p", "p=P('w')\np.set_data(f32(1,2,3),slice_shape=True)"),
        (
            "set_data-initializer",
            "p",
            "p=P('w')\np.set_data(initializer.initializer('zeros',(2,),ms.float32))",
        ),
        ("set_data-parameter", "p", "p=P('w')\np.set_data(Parameter(f32(5,6),name='v'))"),
        ("set_data-str", "p.set_data('a')", "p=P('w')"),
        ("assign", "(r,p)", "p=P('w')\nr=ops.assign(p,f32(3,4))"),
        ("assign-int", "p", "p=P('w')\nops.assign(p,i32(3,4))"),
        ("assign-shape", "ops.assign(p,f32(1,2,3))", "p=P('w')"),
        ("assign-number", "ops.assign(p,3.0)", "p=P('w')"),
        ("assign-ndarray", "ops.assign(p,np.ones(2,np.float32))", "p=P('w')"),
        ("assign_value", "p", "p=P('w')\np.assign_value(f32(3,4))"),
        ("assign_add", "p", "p=P('w')\nops.assign_add(p,f32(3,4))"),
        ("assign_sub", "p", "p=P('w')\nops.assign_sub(p,f32(3,4))"),
        ("setitem", "p", "p=P('w')\np[0]=9"),
        ("clone", "(q.name,q is p,q.value())", "p=P('w')\nq=p.clone()"),
        ("clone-zeros", "p.clone('zeros')", "p=P('w')"),
        ("clone-independent", "p", "p=P('w')\nq=p.clone()\nq.set_data(f32(8,8))"),
        ("copy", "(type(q).__name__,q)", "p=P('w')\nq=p.copy()"),
        ("deepcopy", "(type(q).__name__,q.name)", "p=P('w')\nq=copy.deepcopy(p)"),
        ("init_data", "p.init_data() is p", "p=P('w')"),
        (
            "init_data-lazy",
            "p.init_data()",
            "p=Parameter(initializer.initializer('ones',(2,),ms.float32),name='w')",
        ),
        ("has_init", "P('w').has_init", ""),
        (
            "flags",
            "(p.layerwise_parallel,p.parallel_optimizer,p.sliced,p.comm_fusion,p.cache_enable)",
            "p=P('w')",
        ),
        ("layerwise-int", "p", "p=P('w')\np.layerwise_parallel=1"),
        ("in-place-add", "(type(p).__name__,p is q,q)", "p=P('w')\nq=p\np+=1"),
        ("hash-dict", "d[p]", "p=P('w')\nd={p:3}"),
        ("equal", "P('w')==P('v')", ""),
        ("asnumpy-shares", "p", "p=P('w')\np.asnumpy()[0]=9"),
        ("unique", "P('w').unique", ""),
        ("data-set", "p", "p=P('w')\np.data=f32(7,8)"),
        ("to-float16", "(type(q).__name__,q)", "p=P('w')\nq=p.astype(ms.float16)"),
        ("set_dtype", "p", "p=P('w')\np.set_dtype(ms.float16)"),
        ("repr", "repr(P('w'))", ""),
        ("str", "str(P('w',requires_grad=False))", ""),
        ("tuple-str", "str(ParameterTuple([P('w')]))", ""),
    ):
        c("parameter", name, expr, setup)


def texts() -> None:
    for text in (
        "nn.Dense(3,4)",
        "nn.Dense(3,4,has_bias=False)",
        "nn.Dense(3,4,activation='relu')",
        "nn.Dense(3,4,activation=nn.ReLU6())",
        "nn.Conv2d(3,4,3,weight_init='ones')",
        "nn.Conv2d(3,4,(1,3),stride=2,pad_mode='pad',padding=(1,1,2,2),dilation=2,group=1,has_bias=True,weight_init='ones',bias_init='zeros')",
        "nn.Conv1d(3,4,3,weight_init='ones')",
        "nn.Conv3d(3,4,3,weight_init='ones')",
        "nn.Conv2dTranspose(3,4,3,weight_init='ones')",
        "nn.Conv1dTranspose(3,4,3,weight_init='ones')",
        "nn.Conv3dTranspose(3,4,3,weight_init='ones')",
        "nn.BatchNorm1d(3)",
        "nn.BatchNorm2d(3,affine=False)",
        "nn.LayerNorm((3,))",
        "nn.GroupNorm(2,4)",
        "nn.InstanceNorm2d(3)",
        "nn.Embedding(5,3)",
        "nn.Embedding(5,3,padding_idx=1)",
        "nn.Dropout()",
        "nn.Dropout(p=0.3)",
        "nn.Dropout(0.8)",
        "nn.Dropout2d(p=0.3)",
        "nn.Dropout1d(0.3)",
        "nn.Dropout3d(0.3)",
        "nn.MaxPool2d(2,2)",
        "nn.MaxPool2d(2,2,'pad',1)",
        "nn.AvgPool2d(2)",
        "nn.MaxPool1d(2)",
        "nn.MaxPool3d(2)",
        "nn.AvgPool1d(2)",
        "nn.AvgPool3d(2)",
        "nn.AdaptiveAvgPool2d(2)",
        "nn.AdaptiveMaxPool2d(2)",
        "nn.LSTM(3,4)",
        "nn.GRU(3,4)",
        "nn.RNN(3,4)",
        "nn.LSTM(3,4,2,bidirectional=True,dropout=0.1)",
        "nn.LSTMCell(3,4)",
        "nn.GRUCell(3,4)",
        "nn.RNNCell(3,4)",
        "nn.ReLU()",
        "nn.LeakyReLU(0.1)",
        "nn.PReLU()",
        "nn.Softmax(0)",
        "nn.GELU()",
        "nn.ELU()",
        "nn.Hardtanh()",
        "nn.Flatten()",
        "nn.Identity()",
        "nn.Upsample(size=(2,2))",
        "nn.PixelShuffle(2)",
        "nn.Pad(((1,1),(0,0)))",
        "nn.ZeroPad2d(1)",
        "nn.ReflectionPad2d(1)",
        "nn.OneHot(depth=3)",
        "nn.MSELoss()",
        "nn.CrossEntropyLoss()",
        "nn.SoftmaxCrossEntropyWithLogits()",
        "nn.BCELoss()",
        "nn.NLLLoss()",
        "nn.SequentialCell()",
        "nn.SequentialCell(nn.ReLU(),nn.SequentialCell([D()]))",
        "nn.CellList([nn.ReLU(),D()])",
        "nn.CellDict({'a':nn.ReLU()})",
        "M(nn.ReLU(),D())",
        "M()",
        "nn.WithLossCell(D(),nn.MSELoss())",
        "nn.TrainOneStepCell(nn.WithLossCell(D(),nn.MSELoss()),nn.Momentum([P('w')],0.1,0.9))",
        "nn.MultiheadAttention(8,2)",
        "nn.TransformerEncoderLayer(4,2,4)",
        "nn.BiDense(2,3,4)",
        "nn.Momentum([P('w')],0.1,0.9)",
        "nn.SGD([P('w')],0.1)",
        "nn.CosineDecayLR(0.0,0.1,10)",
        "nn.EmbeddingLookup(4,2)",
        "nn.Unfold([1,2,2,1],[1,1,1,1],[1,1,1,1])",
        "nn.ClipByNorm()",
        "ops.ReLU()",
        "ops.Add()",
        "ops.ReduceSum(keep_dims=True)",
        "ops.Concat(1)",
        "ops.MatMul(transpose_b=True)",
        "ops.Softmax(axis=0)",
        "ops.Cast()",
    ):
        c("text", text, f"re.sub('0x[0-9a-f]+','0x0',repr({text}))", "import re")
    c(
        "text",
        "extend_repr",
        "repr(B())",
        "class B(nn.Cell):\n  def __init__(self):\n    super().__init__()\n    self.d=D()\n  def extend_repr(self):\n    return 'k=1'",
    )
    c(
        "text",
        "extend_repr-only",
        "repr(B())",
        "class B(nn.Cell):\n  def extend_repr(self):\n    return 'k=1'",
    )
    c("text", "str-is-repr", "str(D())==repr(D())")


ERRORS = """T(2)+T(3) | f32(1,2)+f32(1,2,3)
T+str | x+'x'
matmul | ops.matmul(f32(1,2),f32(1,2,3))
reshape | x.reshape(3)
index | x[5]
index-str | x['x']
cat | ops.cat((ops.ones((2,2)),ops.ones((2,3))))
attribute | x.foo
Tensor-str | Tensor('a')
Tensor-none | Tensor(None)
Tensor-empty | Tensor()
Tensor-ragged | Tensor([[1,2],[3]])
Tensor-dtype | Tensor([1.0],dtype='float')
bool-many | bool(x)
item-many | x.item()
len-0d | len(Tensor(1.0))
iter-0d | list(Tensor(1.0))
Dense-zero | nn.Dense(0,1)
Dense-negative | nn.Dense(2,-1)
Dense-float | nn.Dense(2.0,1)
Dense-init-name | nn.Dense(2,1,weight_init='foo')
Dense-init-shape | nn.Dense(2,1,weight_init=f32(1,2,3))
Dense-init-type | nn.Dense(2,1,weight_init=5)
Dense-bias-shape | nn.Dense(2,1,bias_init=f32(1,2,3))
Dense-has_bias | nn.Dense(2,1,has_bias=1)
Dense-activation | nn.Dense(2,1,activation='foo')
Dense-activation-type | nn.Dense(2,1,activation=5)
Dense-ndarray | nn.Dense(2,1)(np.ones((1,2),np.float32))
Dense-wrong-size | nn.Dense(2,1)(ops.ones((1,3)))
Dense-f64 | nn.Dense(2,1)(f64(1,2))
Dense-int | nn.Dense(2,1)(i32(1,2))
Conv2d-group | nn.Conv2d(3,4,3,group=2)
Conv2d-kernel | nn.Conv2d(3,4,(3,3,3))
Conv2d-kernel-zero | nn.Conv2d(3,4,0)
Conv2d-kernel-float | nn.Conv2d(3,4,3.0)
Conv2d-stride-zero | nn.Conv2d(3,4,3,stride=0)
Conv2d-dilation | nn.Conv2d(3,4,3,dilation=0)
Conv2d-channels | nn.Conv2d(0,4,3)
Conv2d-mode | nn.Conv2d(3,4,3,pad_mode='full')
Conv2d-padding-same | nn.Conv2d(3,4,3,padding=1)
Conv2d-padding-valid | nn.Conv2d(3,4,3,pad_mode='valid',padding=1)
Conv2d-padding-negative | nn.Conv2d(3,4,3,pad_mode='pad',padding=-1)
Conv2d-padding-tuple | nn.Conv2d(3,4,3,pad_mode='pad',padding=(1,1))
Conv2d-wrong-C | nn.Conv2d(3,4,3)(ops.ones((1,2,4,4)))
Conv2d-wrong-rank | nn.Conv2d(3,4,3)(ops.ones((3,4,4)))
Conv2d-init | nn.Conv2d(3,4,3,weight_init='foo')
Conv1d-tuple | nn.Conv1d(3,4,(3,))
Conv1d-rank | nn.Conv1d(3,4,3)(ops.ones((3,4)))
Conv2d-NHWC | nn.Conv2d(3,4,3,data_format='NHWC')
Conv2d-format | nn.Conv2d(3,4,3,data_format='foo')
Conv2dTranspose-output_padding | nn.Conv2dTranspose(2,2,3,output_padding=1)
BatchNorm-zero | nn.BatchNorm2d(0)
BatchNorm-eps | nn.BatchNorm2d(2,eps=-1.0)
BatchNorm-momentum | nn.BatchNorm2d(2,momentum=2.0)
BatchNorm-rank | nn.BatchNorm2d(2)(ops.ones((1,2,3)))
BatchNorm-channels | nn.BatchNorm2d(2)(ops.ones((1,3,2,2)))
BatchNorm1d-rank | nn.BatchNorm1d(2)(ops.ones((2,)))
BatchNorm-affine | nn.BatchNorm2d(2,affine=1)
BatchNorm-statistics | nn.BatchNorm2d(2,use_batch_statistics=1)
LayerNorm-int | nn.LayerNorm(3)
LayerNorm-shape | nn.LayerNorm((3,))(ops.ones((2,4)))
GroupNorm-divide | nn.GroupNorm(3,4)
GroupNorm-rank | nn.GroupNorm(2,4)(ops.ones((4,)))
Embedding-zero | nn.Embedding(0,3)
Embedding-range | nn.Embedding(3,2)(i32(5))
Embedding-float | nn.Embedding(3,2)(f32(1))
Embedding-padding | nn.Embedding(3,2,padding_idx=5)
Dropout-p | nn.Dropout(p=1.0)
Dropout-p-negative | nn.Dropout(p=-0.1)
Dropout-p-str | nn.Dropout(p='a')
Dropout-keep | nn.Dropout(keep_prob=0.0)
Dropout-keep-big | nn.Dropout(keep_prob=1.5)
Dropout-both | nn.Dropout(0.5,0.5)
Dropout2d-p | nn.Dropout2d(1.5)
MaxPool-mode | nn.MaxPool2d(2,pad_mode='foo')
MaxPool-padding | nn.MaxPool2d(2,padding=1)
MaxPool-ceil | nn.MaxPool2d(2,ceil_mode=True)
MaxPool-indices | nn.MaxPool2d(2,return_indices=True)
MaxPool-kernel | nn.MaxPool2d(0)
MaxPool-stride | nn.MaxPool2d(2,0)
MaxPool-big-padding | nn.MaxPool2d(2,2,'pad',padding=2)(ops.ones((1,1,4,4)))
MaxPool-rank | nn.MaxPool2d(2)(ops.ones((4,4)))
AvgPool-padding | nn.AvgPool2d(2,padding=1)
AvgPool-float | nn.AvgPool2d(2.5)
Adaptive-negative | nn.AdaptiveAvgPool2d(-1)
Adaptive-str | nn.AdaptiveAvgPool2d('a')
LSTM-hidden | nn.LSTM(3,0)
LSTM-float | nn.LSTM(3,4.0)
LSTM-dropout | nn.LSTM(3,4,dropout=1.5)
LSTM-rank | nn.LSTM(3,4)(ops.ones((3,)))
LSTM-size | nn.LSTM(3,4)(ops.ones((2,1,5)))
LSTM-state | nn.LSTM(3,4)(ops.ones((2,1,3)),ops.ones((1,1,4)))
LSTM-state-shape | nn.LSTM(3,4)(ops.ones((2,1,3)),(ops.ones((1,2,4)),ops.ones((1,2,4))))
RNN-nonlinearity | nn.RNN(3,4,nonlinearity='foo')
LSTMCell-size | nn.LSTMCell(3,4)(ops.ones((1,5)),(ops.ones((1,4)),ops.ones((1,4))))
MHA-divide | nn.MultiheadAttention(5,2)
MHA-heads | nn.MultiheadAttention(4,0)
Softmax-axis | nn.Softmax(1.5)
Softmax-range | nn.Softmax(5)(x)
LeakyReLU-alpha | nn.LeakyReLU('a')
PReLU-channel | nn.PReLU(0)
GELU-flag | nn.GELU(1)
get_activation | nn.get_activation('foo')
Flatten-dim | nn.Flatten(5)(ops.ones((2,2)))
Flatten-float | nn.Flatten(1.0)
Pad-mode | nn.Pad(((1,1),),mode='foo')
Pad-type | nn.Pad([1,1])
Pad-rank | nn.Pad(((1,1),))(ops.ones((2,2)))
Upsample-none | nn.Upsample()(ops.ones((1,1,2,2)))
Upsample-both | nn.Upsample(size=(2,2),scale_factor=2.0)(ops.ones((1,1,2,2)))
Upsample-scale | nn.Upsample(scale_factor=2.0)(ops.ones((1,1,2,2)))
Upsample-mode | nn.Upsample(size=(2,2),mode='foo')(ops.ones((1,1,2,2)))
PixelShuffle-divide | nn.PixelShuffle(2)(ops.ones((1,3,2,2)))
PixelShuffle-zero | nn.PixelShuffle(0)(ops.ones((1,4,2,2)))
OneHot-depth | nn.OneHot(depth=-1)(i32(0))
OneHot-float | nn.OneHot(depth=2)(f32(0))
MSELoss-reduction | nn.MSELoss('foo')
MSELoss-shape | nn.MSELoss()(f32(1,2),f32(1,2,3))
MSELoss-ndarray | nn.MSELoss()(f32(1,2),np.ones(2,np.float32))
CrossEntropy-int64 | nn.CrossEntropyLoss()(ops.ones((2,3)),i64(1,2))
CrossEntropy-reduction | nn.CrossEntropyLoss(reduction='foo')(ops.ones((2,3)),i32(1,2))
CrossEntropy-smoothing | nn.CrossEntropyLoss(label_smoothing=2.0)(ops.ones((2,3)),i32(1,2))
CrossEntropy-weight | nn.CrossEntropyLoss(weight=f32(1,2))(ops.ones((2,3)),i32(1,2))
CrossEntropy-range | nn.CrossEntropyLoss()(ops.ones((2,3)),i32(1,7))
CrossEntropy-batch | nn.CrossEntropyLoss()(ops.ones((2,3)),i32(1,2,0))
SoftmaxCE-float-labels | nn.SoftmaxCrossEntropyWithLogits(sparse=True)(ops.ones((2,3)),f32(1,2))
SoftmaxCE-onehot-shape | nn.SoftmaxCrossEntropyWithLogits()(ops.ones((2,3)),ops.ones((2,2)))
SoftmaxCE-sparse | nn.SoftmaxCrossEntropyWithLogits(sparse=1)
BCE-shape | nn.BCELoss()(f32(0.5),f32(1,0))
NLL-type | nn.NLLLoss()(ops.ones((2,3)),f32(1,2))
SmoothL1-beta | nn.SmoothL1Loss(beta=-1.0)(f32(1),f32(2))
Huber-delta | nn.HuberLoss(delta=-1.0)(f32(1),f32(2))
CosineEmbedding-margin | nn.CosineEmbeddingLoss(2.0)
Triplet-p | nn.TripletMarginLoss(p='a')(ops.ones((2,3)),ops.ones((2,3)),ops.ones((2,3)))
ops-relu-list | ops.relu([1.0])
cat-mixed-type | ops.stack((f32(1),5))
set_seed-float | ms.set_seed(1.5)
set_seed-bool | ms.set_seed(True)
set_seed-negative | ms.set_seed(-1)
context-unknown | ms.set_context(foo=1)
context-mode | ms.set_context(mode=5)
context-mode-str | ms.set_context(mode='graph')
context-device | ms.set_context(device_target='TPU')
context-positional | ms.set_context(1)
get_context-unknown | ms.get_context('foo')
jit-mode | ms.jit(lambda a:a,capture_mode='foo')
jit-level | ms.jit(lambda a:a,jit_level='O7')
save-type | ms.save_checkpoint(5,'a.ckpt')
save-name | ms.save_checkpoint(D(),5)
save-format | ms.save_checkpoint(D(),'a.ckpt',format='foo')
load-missing | ms.load_checkpoint('does_not_exist.ckpt')
load-extension | ms.load_checkpoint('does_not_exist.pth')
load-name | ms.load_checkpoint(5)
load-into-type | ms.load_param_into_net(5,{})
load-into-dict | ms.load_param_into_net(D(),5)
load-into-tensor | ms.load_param_into_net(D(),{'weight':f32(1)})
load-into-shape | ms.load_param_into_net(D(),{'weight':P('weight',3)})
initializer-name | initializer.initializer('foo',(2,))
initializer-shape | initializer.initializer('ones',(-1,))
initializer-type | initializer.initializer(5.5,'a')
initializer-dtype | initializer.initializer('ones',(2,),'float32')
TrainOneStep | nn.TrainOneStepCell(D(),5)
mutable-str | ms.mutable('a')
numpy-string | Tensor(np.array(['a']))+1"""


def errors() -> None:
    for line in ERRORS.splitlines():
        name, expr = line.split(" | ", 1)
        c("error", name, expr)


def initializers() -> None:
    for text in (
        "'zeros'",
        "'ones'",
        "'zero'",
        "'one'",
        "3",
        "2.5",
        "initializer.Constant(2)",
        "initializer.Zero()",
        "initializer.One()",
        "initializer.Identity()",
        "'identity'",
        "initializer.Dirac()",
        "f32(1,2)",
    ):
        shape = "(2,2)" if "dentity" in text else "(2,2,3)" if "Dirac" in text else "(2,)"
        c("initializer", text, f"initializer.initializer({text},{shape},ms.float32).init_data()")
    for name, expr in (
        ("lazy-str", "str(initializer.initializer('ones',(2,),ms.float32))"),
        ("lazy-shape", "initializer.initializer('ones',(2,3),ms.float16).shape"),
        ("lazy-dtype", "initializer.initializer('ones',(2,3),ms.float16).dtype"),
        ("lazy-int-shape", "initializer.initializer('ones',3,ms.float32).shape"),
        ("lazy-list-shape", "initializer.initializer('ones',[2,3],ms.float32).shape"),
        ("default-dtype", "initializer.initializer('ones',(2,)).dtype"),
        ("lazy-asnumpy", "initializer.initializer('ones',(2,),ms.float32).asnumpy()"),
        ("lazy-has_init", "initializer.initializer('ones',(2,),ms.float32).has_init"),
        ("tensor-shape-mismatch", "initializer.initializer(f32(1,2),(3,),ms.float32)"),
        ("int-dtype", "initializer.initializer('ones',(2,),ms.int32).init_data()"),
    ):
        c("initializer", name, expr)


def main() -> None:
    ms = framework()
    for family in (naming, queries, attributes, parameters, texts, initializers, errors):
        family()
    result, dropped = record(ms, CASES, expression, PRELUDE)
    write("cell", result, prelude=PRELUDE, no_cpu_kernel=[d["id"] for d in dropped])


if __name__ == "__main__":
    main()

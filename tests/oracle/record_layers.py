"""Record data/oracle/layers.json: ``cd tests && GLOG_v=4 <oracle python> -m oracle.record_layers``."""

from __future__ import annotations

from .recording import framework, record, write
from .replay import layer

CASES: list[dict] = []


def case(name: str, expr: str, *inputs: str, **more) -> None:
    """Append one case; `inputs` are texts."""
    CASES.append({"id": name, "expr": expr, "inputs": list(inputs), **more})


def convolutions() -> None:
    x2 = "t((1,2,5,5),9)"
    x4 = "t((1,4,5,6),9)"
    case("conv2d", "nn.Conv2d(2,3,3)", x2)
    case("conv2d-bias", "nn.Conv2d(2,3,3,has_bias=True)", x2)
    case(
        "conv2d-bias-init",
        "nn.Conv2d(2,3,3,has_bias=True,weight_init='ones',bias_init='zeros')",
        x2,
    )
    case("conv2d-same-stride2", "nn.Conv2d(2,3,3,stride=2)", x2)
    case("conv2d-same-k2", "nn.Conv2d(2,2,2)", x2)
    case("conv2d-same-k4-stride2", "nn.Conv2d(2,2,4,stride=2)", x2)
    case("conv2d-same-stride3", "nn.Conv2d(2,2,3,stride=3)", x2)
    case("conv2d-same-dilation", "nn.Conv2d(2,2,3,dilation=2)", x2)
    case("conv2d-valid", "nn.Conv2d(2,3,3,pad_mode='valid',has_bias=True)", x2)
    case("conv2d-valid-stride", "nn.Conv2d(2,3,(3,2),stride=(2,1),pad_mode='valid')", x2)
    case("conv2d-pad-int", "nn.Conv2d(2,3,3,pad_mode='pad',padding=2)", x2)
    case("conv2d-pad-tuple", "nn.Conv2d(2,2,3,pad_mode='pad',padding=(1,0,2,1))", x2)
    case("conv2d-pad-dilation", "nn.Conv2d(2,2,3,pad_mode='pad',padding=1,dilation=(2,1))", x2)
    case("conv2d-pad-upper", "nn.Conv2d(2,2,3,pad_mode='VALID')", x2)
    case("conv2d-group", "nn.Conv2d(4,4,3,group=2,has_bias=True)", x4)
    case("conv2d-depthwise", "nn.Conv2d(4,4,3,group=4,stride=2)", x4)
    case("conv2d-1x1", "nn.Conv2d(4,2,1)", x4)
    case("conv2d-rect", "nn.Conv2d(4,2,(1,3),stride=(1,2))", x4)
    case("conv2d-batch", "nn.Conv2d(1,2,3)", "t((2,1,4,4),9)")
    x1 = "t((2,3,7),9)"
    case("conv1d", "nn.Conv1d(3,2,3)", x1)
    case("conv1d-bias", "nn.Conv1d(3,2,3,has_bias=True)", x1)
    case("conv1d-same-stride2", "nn.Conv1d(3,2,4,stride=2)", x1)
    case("conv1d-valid", "nn.Conv1d(3,2,3,pad_mode='valid',stride=2)", x1)
    case("conv1d-pad", "nn.Conv1d(3,2,3,pad_mode='pad',padding=2,has_bias=True)", x1)
    case("conv1d-dilation", "nn.Conv1d(3,2,3,dilation=2)", x1)
    case("conv1d-group", "nn.Conv1d(4,4,3,group=2)", "t((1,4,6),9)")
    x3 = "t((1,2,3,4,4),9)"
    case("conv3d", "nn.Conv3d(2,2,2)", x3)
    case("conv3d-same", "nn.Conv3d(2,1,3,stride=2,has_bias=True)", x3)
    case("conv3d-valid", "nn.Conv3d(2,2,(2,3,3),pad_mode='valid')", x3)
    case("conv3d-pad", "nn.Conv3d(2,1,3,pad_mode='pad',padding=1,stride=2)", x3)
    case("conv3d-pad6", "nn.Conv3d(2,1,3,pad_mode='pad',padding=(1,0,1,0,2,0))", x3)
    case("conv3d-dilation", "nn.Conv3d(1,1,2,pad_mode='valid',dilation=2)", "t((1,1,4,4,4),9)")
    y2 = "t((1,2,3,4),9)"
    case("conv2dtranspose", "nn.Conv2dTranspose(2,3,3)", y2)
    case("conv2dtranspose-bias", "nn.Conv2dTranspose(2,3,3,has_bias=True)", y2)
    case("conv2dtranspose-same-stride", "nn.Conv2dTranspose(2,2,3,stride=2)", y2)
    case("conv2dtranspose-same-k2", "nn.Conv2dTranspose(2,2,2,stride=2)", y2)
    case("conv2dtranspose-same-k4", "nn.Conv2dTranspose(2,2,4,stride=2)", y2)
    case("conv2dtranspose-valid", "nn.Conv2dTranspose(2,2,3,pad_mode='valid')", y2)
    case(
        "conv2dtranspose-valid-stride",
        "nn.Conv2dTranspose(2,2,3,stride=2,pad_mode='valid',has_bias=True)",
        y2,
    )
    case("conv2dtranspose-pad", "nn.Conv2dTranspose(2,2,3,stride=2,pad_mode='pad',padding=1)", y2)
    case(
        "conv2dtranspose-pad-out",
        "nn.Conv2dTranspose(2,2,3,stride=2,pad_mode='pad',padding=1,output_padding=1)",
        y2,
    )
    case("conv2dtranspose-dilation", "nn.Conv2dTranspose(2,2,3,pad_mode='valid',dilation=2)", y2)
    case("conv2dtranspose-group", "nn.Conv2dTranspose(2,4,3,group=2)", y2)
    y1 = "t((1,2,5),9)"
    case("conv1dtranspose", "nn.Conv1dTranspose(2,3,3)", y1)
    case("conv1dtranspose-stride", "nn.Conv1dTranspose(2,3,3,stride=2,has_bias=True)", y1)
    case("conv1dtranspose-valid", "nn.Conv1dTranspose(2,3,3,stride=2,pad_mode='valid')", y1)
    case("conv1dtranspose-pad", "nn.Conv1dTranspose(2,3,4,stride=2,pad_mode='pad',padding=1)", y1)
    y3 = "t((1,2,2,3,2),9)"
    case("conv3dtranspose", "nn.Conv3dTranspose(2,2,2)", y3)
    case("conv3dtranspose-valid", "nn.Conv3dTranspose(2,1,2,pad_mode='valid',has_bias=True)", y3)
    case("conv3dtranspose-pad", "nn.Conv3dTranspose(2,1,3,stride=2,pad_mode='pad',padding=1)", y3)


def dense() -> None:
    x = "t((2,3),9)"
    case("dense", "nn.Dense(3,4)", x)
    case("dense-nobias", "nn.Dense(3,4,has_bias=False)", x)
    for act in (
        "relu",
        "sigmoid",
        "tanh",
        "softmax",
        "gelu",
        "leakyrelu",
        "hswish",
        "hsigmoid",
        "elu",
        "logsigmoid",
    ):
        case(f"dense-activation-{act}", f"nn.Dense(3,4,activation='{act}')", x)
    case("dense-activation-cell", "nn.Dense(3,4,activation=nn.ReLU())", x)
    case("dense-rank1", "nn.Dense(3,4)", "t((3,),9)")
    case("dense-rank3", "nn.Dense(3,2)", "t((2,2,3),9)")
    case("dense-rank4", "nn.Dense(3,2)", "t((1,2,2,3),9)")
    case("dense-positional-init", "nn.Dense(3,2,'ones','zeros')", x, fill=False)
    case(
        "dense-tensor-init",
        "nn.Dense(3,2,weight_init=t((2,3),4),bias_init=t((2,),5))",
        x,
        fill=False,
    )
    case("bidense", "nn.BiDense(3,2,4)", x, "t((2,2),10)")
    case("bidense-nobias", "nn.BiDense(3,2,4,has_bias=False)", x, "t((2,2),10)")
    case("embedding", "nn.Embedding(5,3)", "ti((2,4),1)")
    case("embedding-padding", "nn.Embedding(5,3,padding_idx=2)", "ti((2,4),1)")
    case("embedding-one-hot", "nn.Embedding(5,3,use_one_hot=True)", "ti((2,4),1)")
    case(
        "embedding-init",
        "nn.Embedding(5,3,embedding_table='ones',padding_idx=1)",
        "ti((2,4),1)",
        fill=False,
    )
    case("embedding-scalar", "nn.Embedding(5,3)", "Tensor(2,ms.int32)")
    case("embedding-int64", "nn.Embedding(5,3)", "ti((3,),1,5,'int64')")
    case("embedding-lookup", "nn.EmbeddingLookup(5,3)", "ti((2,2),1)")
    case("embedding-lookup-maxnorm", "nn.EmbeddingLookup(5,3,max_norm=0.3)", "ti((2,2),1)")
    case(
        "multifield-lookup",
        "nn.MultiFieldEmbeddingLookup(10,2,2)",
        "ti((2,3),1)",
        "t((2,3),2)",
        "Tensor(np.array([[0,1,0],[1,0,1]],np.int32))",
    )
    case("prelu", "nn.PReLU()", "t((2,3,4),9)")
    case("prelu-channel", "nn.PReLU(3,0.1)", "t((2,3,4),9)", fill=False)


def normalization() -> None:
    for rank, dims in ((1, (4, 3)), (2, (2, 3, 2, 2)), (3, (2, 2, 2, 2, 2))):
        channels = dims[1]
        x = f"t({dims},9)"
        for train in (False, True):
            mode = "train" if train else "eval"
            case(f"batchnorm{rank}d-{mode}", f"nn.BatchNorm{rank}d({channels})", x, train=train)
        case(
            f"batchnorm{rank}d-noaffine",
            f"nn.BatchNorm{rank}d({channels},affine=False)",
            x,
            train=True,
        )
    x = "t((2,3,2,2),9)"
    case("batchnorm2d-momentum", "nn.BatchNorm2d(3,eps=1e-3,momentum=0.7)", x, train=True)
    case("batchnorm2d-default-parameters", "nn.BatchNorm2d(3)", x, train=True, fill=False)
    case(
        "batchnorm2d-init",
        "nn.BatchNorm2d(3,gamma_init='zeros',beta_init='ones',moving_mean_init='ones',moving_var_init='zeros')",
        x,
        fill=False,
    )
    case("batchnorm2d-stats-true-eval", "nn.BatchNorm2d(3,use_batch_statistics=True)", x)
    case(
        "batchnorm2d-stats-false-train",
        "nn.BatchNorm2d(3,use_batch_statistics=False)",
        x,
        train=True,
    )
    case(
        "batchnorm2d-in-parent",
        "nn.SequentialCell(nn.Conv2d(2,3,1),nn.BatchNorm2d(3),nn.ReLU())",
        "t((1,2,2,2),9)",
        train=True,
    )
    case("batchnorm1d-3d-input", "nn.BatchNorm1d(3)", "t((2,3,4),9)", train=True)
    case("batchnorm2d-single", "nn.BatchNorm2d(2)", "t((1,2,3,3),9,0,4)", train=True)
    case("syncbatchnorm", "nn.SyncBatchNorm(3)", x)
    case("layernorm", "nn.LayerNorm((4,))", "t((2,3,4),9)")
    case("layernorm-list", "nn.LayerNorm([4],epsilon=1e-5)", "t((2,3,4),9)")
    case(
        "layernorm-2axes",
        "nn.LayerNorm((3,4),begin_norm_axis=1,begin_params_axis=1)",
        "t((2,3,4),9)",
    )
    case(
        "layernorm-axis1-params-last",
        "nn.LayerNorm((4,),begin_norm_axis=1,begin_params_axis=-1)",
        "t((2,3,4),9)",
    )
    case("layernorm-image", "nn.LayerNorm((2,2,2),1,1)", "t((2,2,2,2),9)")
    case(
        "layernorm-init",
        "nn.LayerNorm((4,),gamma_init='zeros',beta_init='ones')",
        "t((2,4),9)",
        fill=False,
    )
    case("groupnorm", "nn.GroupNorm(2,4)", "t((2,4,2,2),9)")
    case("groupnorm-noaffine", "nn.GroupNorm(2,4,eps=1e-3,affine=False)", "t((2,4,2,2),9)")
    case("groupnorm-instance", "nn.GroupNorm(4,4)", "t((2,4,2,2),9)")
    case("groupnorm-layer", "nn.GroupNorm(1,4)", "t((2,4,2,2),9)")
    for rank, dims in ((1, (2, 3, 4)), (2, (2, 3, 2, 2)), (3, (2, 2, 2, 2, 2))):
        case(
            f"instancenorm{rank}d", f"nn.InstanceNorm{rank}d({dims[1]})", f"t({dims},9)", train=True
        )
    case("lrn", "nn.LRN(2,1.0,0.5,0.75)", "t((1,5,2,2),9)")


def recurrent() -> None:
    x = "t((4,2,3),9)"
    for kind in ("LSTM", "GRU", "RNN"):
        low = kind.lower()
        case(low, f"nn.{kind}(3,4)", x)
        case(f"{low}-nobias", f"nn.{kind}(3,4,has_bias=False)", x)
        case(f"{low}-bidirectional", f"nn.{kind}(3,2,bidirectional=True)", x)
        case(f"{low}-two-layers", f"nn.{kind}(3,2,num_layers=2)", x)
        case(
            f"{low}-two-layers-bidirectional", f"nn.{kind}(3,2,num_layers=2,bidirectional=True)", x
        )
        case(f"{low}-batch-first", f"nn.{kind}(3,4,batch_first=True)", "t((2,4,3),9)")
        case(f"{low}-seq-length", f"nn.{kind}(3,2)", x, "None", "Tensor([4,2],ms.int32)")
        case(
            f"{low}-seq-length-bidirectional",
            f"nn.{kind}(3,2,bidirectional=True)",
            x,
            "None",
            "Tensor([2,4],ms.int32)",
        )
        state = "(t((1,2,4),10),t((1,2,4),11))" if kind == "LSTM" else "t((1,2,4),10)"
        case(f"{low}-state", f"nn.{kind}(3,4)", x, state)
        case(f"{low}-dropout-eval", f"nn.{kind}(3,2,num_layers=2,dropout=0.5)", x)
        cell_state = "(t((2,4),10),t((2,4),11))" if kind == "LSTM" else "t((2,4),10)"
        case(f"{low}cell", f"nn.{kind}Cell(3,4)", "t((2,3),9)", cell_state)
        case(f"{low}cell-nobias", f"nn.{kind}Cell(3,4,has_bias=False)", "t((2,3),9)", cell_state)
    case("rnn-relu", "nn.RNN(3,4,nonlinearity='relu')", x)
    case("rnncell-relu", "nn.RNNCell(3,4,nonlinearity='relu')", "t((2,3),9)", "t((2,4),10)")


def attention() -> None:
    q = "t((3,2,4),9)"
    case("mha", "nn.MultiheadAttention(4,2)", q, q, q)
    case("mha-nobias", "nn.MultiheadAttention(4,2,has_bias=False)", q, q, q)
    case(
        "mha-batch-first",
        "nn.MultiheadAttention(4,2,batch_first=True)",
        "t((2,3,4),9)",
        "t((2,3,4),10)",
        "t((2,3,4),11)",
    )
    case(
        "mha-kdim", "nn.MultiheadAttention(4,2,kdim=3,vdim=2)", q, "t((2,2,3),10)", "t((2,2,2),11)"
    )
    case("mha-bias-kv", "nn.MultiheadAttention(4,2,add_bias_kv=True)", q, q, q)
    case("mha-zero-attn", "nn.MultiheadAttention(4,2,add_zero_attn=True)", q, q, q)
    wrap = "class M(nn.Cell):\n  def __init__(self,**k):\n    super().__init__()\n    self.a=nn.MultiheadAttention(4,2)\n    self.k=k\n  def construct(self,*x):\n    return self.a(*x,**self.k)\n"
    case(
        "mha-attn-mask",
        "M(attn_mask=Tensor(np.triu(np.ones((3,3)),1).astype(bool)))",
        q,
        q,
        q,
        setup=wrap,
    )
    case("mha-float-mask", "M(attn_mask=t((3,3),5))", q, q, q, setup=wrap)
    case(
        "mha-key-padding",
        "M(key_padding_mask=Tensor(np.array([[0,0,1],[0,1,1]],bool)))",
        q,
        q,
        q,
        setup=wrap,
    )
    case("mha-no-weights", "M(need_weights=False)", q, q, q, setup=wrap)
    case("mha-head-weights", "M(average_attn_weights=False)", q, q, q, setup=wrap)
    case("mha-unbatched", "nn.MultiheadAttention(4,2)", "t((3,4),9)", "t((3,4),10)", "t((3,4),11)")
    for extra, name in (
        ("", ""),
        (",norm_first=True", "-norm-first"),
        (",batch_first=True", "-batch-first"),
        (",activation='gelu'", "-gelu"),
    ):
        case(f"encoder-layer{name}", f"nn.TransformerEncoderLayer(4,2,6,dropout=0.0{extra})", q)
        case(
            f"decoder-layer{name}",
            f"nn.TransformerDecoderLayer(4,2,6,dropout=0.0{extra})",
            q,
            "t((3,2,4),10)",
        )
    case("encoder-layer-eps", "nn.TransformerEncoderLayer(4,2,6,layer_norm_eps=1e-2)", q)
    case("encoder", "nn.TransformerEncoder(nn.TransformerEncoderLayer(4,2,3),2)", q)
    case(
        "encoder-norm",
        "nn.TransformerEncoder(nn.TransformerEncoderLayer(4,2,3),1,nn.LayerNorm((4,)))",
        q,
    )
    case(
        "decoder", "nn.TransformerDecoder(nn.TransformerDecoderLayer(4,2,3),2)", q, "t((3,2,4),10)"
    )
    case("transformer", "nn.Transformer(4,2,1,1,3)", q, "t((2,2,4),10)")
    case(
        "encoder-mask",
        "E(Tensor(np.triu(np.full((3,3),-1e9,np.float32),1)))",
        q,
        setup="class E(nn.Cell):\n  def __init__(self,m):\n    super().__init__()\n    self.e=nn.TransformerEncoderLayer(4,2,3)\n    self.m=m\n  def construct(self,x):\n    return self.e(x,src_mask=self.m)\n",
    )


def pooling() -> None:
    x = "t((1,2,5,5),9)"
    for kind in ("Max", "Avg"):
        low = kind.lower()
        case(f"{low}pool2d-default", f"nn.{kind}Pool2d()", x)
        case(f"{low}pool2d-k2", f"nn.{kind}Pool2d(2)", x)
        case(f"{low}pool2d-k2s2", f"nn.{kind}Pool2d(2,2)", x)
        case(f"{low}pool2d-same", f"nn.{kind}Pool2d(3,2,'same')", x)
        case(f"{low}pool2d-same-k2", f"nn.{kind}Pool2d(2,2,'SAME')", x)
        case(f"{low}pool2d-pad", f"nn.{kind}Pool2d(3,2,'pad',padding=1)", x)
        case(f"{low}pool2d-ceil", f"nn.{kind}Pool2d(2,2,'pad',ceil_mode=True)", x)
        case(f"{low}pool2d-rect", f"nn.{kind}Pool2d((2,3),(1,2))", x)
        case(f"{low}pool1d", f"nn.{kind}Pool1d(3,2)", "t((1,2,7),9)")
        case(f"{low}pool1d-same", f"nn.{kind}Pool1d(3,2,'same')", "t((1,2,7),9)")
        case(f"{low}pool1d-pad", f"nn.{kind}Pool1d(3,2,'pad',padding=1)", "t((1,2,7),9)")
        case(f"{low}pool3d", f"nn.{kind}Pool3d(2,1)", "t((1,1,3,3,3),9)")
        case(f"{low}pool3d-s2", f"nn.{kind}Pool3d(2,2,'same')", "t((1,1,3,3,3),9)")
        case(f"{low}pool3d-pad", f"nn.{kind}Pool3d(2,2,'pad',padding=1)", "t((1,1,3,3,3),9)")
        case(f"{low}pool2d-unbatched", f"nn.{kind}Pool2d(2,2)", "t((2,4,4),9)")
    case("maxpool2d-dilation", "nn.MaxPool2d(2,1,'pad',dilation=2)", x)
    case("maxpool2d-indices", "nn.MaxPool2d(2,2,'pad',return_indices=True)", x)
    case("maxpool1d-indices", "nn.MaxPool1d(2,2,'pad',return_indices=True)", "t((1,2,6),9)")
    case("maxpool3d-indices", "nn.MaxPool3d(2,1,'pad',return_indices=True)", "t((1,1,3,3,3),9)")
    case("avgpool2d-pad-noinclude", "nn.AvgPool2d(3,2,'pad',padding=1,count_include_pad=False)", x)
    case("avgpool2d-divisor", "nn.AvgPool2d(2,2,'pad',divisor_override=3)", x)
    case(
        "avgpool1d-pad-noinclude",
        "nn.AvgPool1d(3,2,'pad',padding=1,count_include_pad=False)",
        "t((1,2,7),9)",
    )
    case(
        "avgpool3d-noinclude",
        "nn.AvgPool3d(2,2,'pad',padding=1,count_include_pad=False)",
        "t((1,1,3,3,3),9)",
    )
    case("adaptiveavgpool1d", "nn.AdaptiveAvgPool1d(2)", "t((1,2,6),9)")
    case("adaptiveavgpool2d", "nn.AdaptiveAvgPool2d(2)", x)
    case("adaptiveavgpool2d-rect", "nn.AdaptiveAvgPool2d((3,2))", x)
    case("adaptiveavgpool2d-none", "nn.AdaptiveAvgPool2d((None,2))", x)
    case("adaptiveavgpool2d-one", "nn.AdaptiveAvgPool2d(1)", x)
    case("adaptiveavgpool3d", "nn.AdaptiveAvgPool3d(2)", "t((1,1,3,4,3),9)")
    case("adaptivemaxpool1d", "nn.AdaptiveMaxPool1d(2)", "t((1,2,6),9)")
    case("adaptivemaxpool2d", "nn.AdaptiveMaxPool2d(2)", x)
    case("adaptivemaxpool2d-none", "nn.AdaptiveMaxPool2d((None,2))", x)
    case("adaptivemaxpool2d-indices", "nn.AdaptiveMaxPool2d((3,2),return_indices=True)", x)
    case("adaptivemaxpool3d", "nn.AdaptiveMaxPool3d(2)", "t((1,1,3,4,3),9)")
    case("lppool1d", "nn.LPPool1d(2,2)", "t((1,2,6),9,0.1,1)")
    case("lppool2d", "nn.LPPool2d(2,2,1)", "t((1,1,4,4),9,0.1,1)")
    case("lppool2d-ceil", "nn.LPPool2d(3.0,2,2,ceil_mode=True)", "t((1,1,5,5),9,0.1,1)")
    case(
        "maxunpool2d",
        "nn.MaxUnpool2d(2,2)",
        "t((1,1,2,2),9)",
        "Tensor(np.array([[[[0,3],[9,14]]]],np.int64))",
    )
    case(
        "maxunpool1d",
        "nn.MaxUnpool1d(2,2)",
        "t((1,1,3),9)",
        "Tensor(np.array([[[1,2,5]]],np.int64))",
    )


def activations() -> None:
    x = "t((2,6),9,-4,4)"
    plain = [
        "ReLU()",
        "ReLU6()",
        "Sigmoid()",
        "Tanh()",
        "Softmax()",
        "LogSoftmax()",
        "GELU()",
        "GELU(approximate=False)",
        "GELU(False)",
        "SiLU()",
        "Mish()",
        "HSwish()",
        "HSigmoid()",
        "HShrink()",
        "HShrink(1.5)",
        "SoftShrink()",
        "SoftShrink(1.0)",
        "Softsign()",
        "Tanhshrink()",
        "LogSigmoid()",
        "LeakyReLU()",
        "LeakyReLU(0.01)",
        "ELU()",
        "CELU()",
        "CELU(2.0)",
        "SeLU()",
        "FastGelu()",
        "Hardtanh()",
        "Hardtanh(-2.0,0.5)",
        "Threshold(0.5,-1.0)",
        "Softmin()",
        "GLU()",
        "Softmax(0)",
        "Softmax(axis=1)",
        "LogSoftmax(0)",
        "Softmin(0)",
        "GLU(0)",
        "Identity()",
        "L1Regularizer(0.1)",
        "Norm()",
        "ReduceLogSumExp(1)",
        "Flatten()",
        "DiGamma()",
        "LGamma()",
    ]
    for text in plain:
        case(f"activation-{text}", f"nn.{text}", x)
    case("relu-int", "nn.ReLU()", "ti((2,3),1,7)")
    case("softmax2d", "nn.Softmax2d()", "t((1,3,2,2),9)")
    case("softmax-rank3", "nn.Softmax()", "t((2,2,3),9)")
    case("gelu-f16", "nn.GELU()", "t((2,3),9,-4,4,ms.float16)")
    case("sigmoid-f16", "nn.Sigmoid()", "t((2,3),9,-4,4,ms.float16)")
    for name in (
        "relu",
        "relu6",
        "softmax",
        "logsoftmax",
        "tanh",
        "sigmoid",
        "gelu",
        "fast_gelu",
        "elu",
        "leakyrelu",
        "hswish",
        "hsigmoid",
        "logsigmoid",
        "prelu",
        "softshrink",
        "hshrink",
    ):
        case(f"get_activation-{name}", f"nn.get_activation('{name}')", "t((1,3,4),9,-4,4)")


def shapes() -> None:
    case("flatten", "nn.Flatten()", "t((2,2,3),9)")
    case("flatten-dims", "nn.Flatten(0,1)", "t((2,2,3),9)")
    case("flatten-end", "nn.Flatten(1,2)", "t((2,2,2,2),9)")
    case("unflatten", "nn.Unflatten(1,(2,3))", "t((2,6),9)")
    case("identity", "nn.Identity()", "t((2,2),9)")
    case("pad-constant", "nn.Pad(((1,1),(0,2)))", "t((2,3),9)")
    case("pad-reflect", "nn.Pad(((1,1),(2,1)),'REFLECT')", "t((2,3),9)")
    case("pad-symmetric", "nn.Pad(((1,1),(2,1)),mode='SYMMETRIC')", "t((2,3),9)")
    case("pad-4d", "nn.Pad(((0,0),(0,0),(1,2),(0,1)))", "t((1,1,2,2),9)")
    case("zeropad2d", "nn.ZeroPad2d((1,2,0,1))", "t((1,1,3,3),9)")
    case("zeropad2d-int", "nn.ZeroPad2d(1)", "t((1,1,3,3),9)")
    case("constantpad1d", "nn.ConstantPad1d((1,2),0.5)", "t((1,2,3),9)")
    case("constantpad2d", "nn.ConstantPad2d((1,0,2,1),0.5)", "t((1,1,3,3),9)")
    case("constantpad2d-negative", "nn.ConstantPad2d((-1,0,1,0),0.5)", "t((1,1,3,3),9)")
    case("constantpad3d", "nn.ConstantPad3d((1,0,0,1,1,0),0.5)", "t((1,1,2,2,2),9)")
    case("reflectionpad1d", "nn.ReflectionPad1d((1,2))", "t((1,2,4),9)")
    case("reflectionpad2d", "nn.ReflectionPad2d((1,2,0,1))", "t((1,1,3,3),9)")
    case("reflectionpad3d", "nn.ReflectionPad3d(1)", "t((1,1,2,2,2),9)")
    case("replicationpad1d", "nn.ReplicationPad1d((1,2))", "t((1,2,4),9)")
    case("replicationpad2d", "nn.ReplicationPad2d((1,2,0,1))", "t((1,1,3,3),9)")
    case("replicationpad3d", "nn.ReplicationPad3d((1,0,1,0,1,0))", "t((1,1,2,2,2),9)")
    case("upsample-size-nearest", "nn.Upsample(size=(5,4))", "t((1,1,2,3),9)")
    case(
        "upsample-scale-nearest",
        "nn.Upsample(scale_factor=2.0,recompute_scale_factor=True)",
        "t((1,1,2,3),9)",
    )
    case("upsample-bilinear", "nn.Upsample(size=(5,4),mode='bilinear')", "t((1,1,2,3),9)")
    case(
        "upsample-bilinear-corners",
        "nn.Upsample(size=(5,4),mode='bilinear',align_corners=True)",
        "t((1,1,2,3),9)",
    )
    case(
        "upsample-bilinear-scale",
        "nn.Upsample(scale_factor=2.0,mode='bilinear',recompute_scale_factor=True)",
        "t((1,1,2,3),9)",
    )
    case("upsample-bicubic", "nn.Upsample(size=(4,4),mode='bicubic')", "t((1,1,3,3),9)")
    case("upsample-linear", "nn.Upsample(size=5,mode='linear')", "t((1,1,3),9)")
    case("upsample-nearest-1d", "nn.Upsample(size=5)", "t((1,1,3),9)")
    case("upsample-trilinear", "nn.Upsample(size=(3,3,3),mode='trilinear')", "t((1,1,2,2,2),9)")
    case("upsample-nearest-3d", "nn.Upsample(size=(3,3,3))", "t((1,1,2,2,2),9)")
    case("upsample-area", "nn.Upsample(size=(2,2),mode='area')", "t((1,1,4,4),9)")
    case("pixelshuffle", "nn.PixelShuffle(2)", "t((1,4,2,2),9)")
    case("pixelunshuffle", "nn.PixelUnshuffle(2)", "t((1,1,4,4),9)")
    case("channelshuffle", "nn.ChannelShuffle(2)", "t((1,4,1,2),9)")
    case("onehot", "nn.OneHot(depth=4)", "ti((3,),1,4)")
    case("onehot-axis", "nn.OneHot(0,4,2.0,-1.0)", "ti((3,),1,4)")
    case("onehot-int", "nn.OneHot(depth=4,dtype=ms.int32)", "ti((3,),1,4)")
    case("tril", "nn.Tril()", "t((3,3),9)")
    case("triu", "nn.Triu()", "t((3,3),9)")
    case("clipbynorm", "nn.ClipByNorm()", "t((2,3),9)", "Tensor(0.5,ms.float32)")
    case("clipbynorm-axis", "nn.ClipByNorm(axis=1)", "t((2,3),9)", "Tensor(0.5,ms.float32)")
    case("norm-axis", "nn.Norm(axis=1)", "t((2,3),9)")
    case("norm-keep", "nn.Norm(axis=0,keep_dims=True)", "t((2,3),9)")
    case("moments", "nn.Moments(axis=1,keep_dims=True)", "t((2,3),9)")
    case(
        "timedistributed",
        "nn.TimeDistributed(nn.Dense(3,2),time_axis=1,reshape_with_axis=0)",
        "t((2,2,3),9)",
    )
    case("imagegradients", "nn.ImageGradients()", "t((1,1,3,3),9)")
    case("centralcrop", "nn.CentralCrop(0.5)", "t((1,4,4),9)")
    case("matmul", "nn.MatMul()", "t((2,3),9)", "t((3,2),10)")
    case("dropout-off", "nn.Dropout(p=0.5)", "t((2,3),9)")
    case("dropout-p0", "nn.Dropout(p=0.0)", "t((2,3),9)", train=True)
    case("dropout-keep1", "nn.Dropout(keep_prob=1.0)", "t((2,3),9)", train=True)
    for rank, dims in ((1, (1, 2, 3)), (2, (1, 2, 2, 2)), (3, (1, 2, 1, 2, 2))):
        case(f"dropout{rank}d-off", f"nn.Dropout{rank}d(p=0.5)", f"t({dims},9)")
    case("dropout-repr-positional", "nn.Dropout(0.3)", "t((2,2),9)")


def losses() -> None:
    p, q = "t((2,3),9)", "t((2,3),10)"
    for reduction in ("mean", "sum", "none"):
        r = f"reduction='{reduction}'"
        for name in ("MSELoss", "L1Loss", "MAELoss", "HuberLoss", "SmoothL1Loss"):
            case(f"{name}-{reduction}", f"nn.{name}({r})", p, q)
        case(
            f"SoftMarginLoss-{reduction}",
            f"nn.SoftMarginLoss({r})",
            p,
            "Tensor(np.array([[1,-1,1],[-1,1,-1]],np.float32))",
            no_grad=[1],
        )
        case(
            f"BCELoss-{reduction}",
            f"nn.BCELoss({r})",
            "t((2,3),9,0.05,0.95)",
            "t((2,3),10,0,1)",
            no_grad=[1],
        )
        case(
            f"BCEWithLogitsLoss-{reduction}",
            f"nn.BCEWithLogitsLoss({r})",
            p,
            "t((2,3),10,0,1)",
            no_grad=[1],
        )
        case(
            f"KLDivLoss-{reduction}",
            f"nn.KLDivLoss({r})",
            "t((2,3),9,-3,-0.1)",
            "t((2,3),10,0.05,0.9)",
            no_grad=[1],
        )
        case(
            f"CrossEntropyLoss-{reduction}",
            f"nn.CrossEntropyLoss({r})",
            p,
            "Tensor([2,0],ms.int32)",
        )
        case(
            f"CrossEntropyLoss-prob-{reduction}",
            f"nn.CrossEntropyLoss({r})",
            p,
            "t((2,3),10,0,1)",
            no_grad=[1],
        )
        case(
            f"CrossEntropyLoss-smooth-{reduction}",
            f"nn.CrossEntropyLoss({r},label_smoothing=0.1)",
            p,
            "Tensor([2,0],ms.int32)",
        )
        case(
            f"CrossEntropyLoss-weight-{reduction}",
            f"nn.CrossEntropyLoss(f32(0.5,1,2),0,{r})",
            p,
            "Tensor([2,0],ms.int32)",
        )
        case(
            f"NLLLoss-{reduction}",
            f"nn.NLLLoss({r})",
            "t((3,4),9,-3,-0.1)",
            "Tensor([2,0,3],ms.int32)",
        )
        case(
            f"NLLLoss-weight-{reduction}",
            f"nn.NLLLoss(weight=f32(0.5,1,2,3),ignore_index=0,{r})",
            "t((3,4),9,-3,-0.1)",
            "Tensor([2,0,3],ms.int32)",
        )
        case(
            f"SoftmaxCE-{reduction}",
            f"nn.SoftmaxCrossEntropyWithLogits({r})",
            p,
            "f32(0,0,1,1,0,0).reshape(2,3)",
            no_grad=[1],
        )
        case(
            f"SoftmaxCE-sparse-{reduction}",
            f"nn.SoftmaxCrossEntropyWithLogits(sparse=True,{r})",
            p,
            "Tensor([2,0],ms.int32)",
        )
        case(
            f"CosineEmbeddingLoss-{reduction}",
            f"nn.CosineEmbeddingLoss(0.1,{r})",
            p,
            q,
            "Tensor([1,-1],ms.int32)",
        )
        case(
            f"MarginRankingLoss-{reduction}",
            f"nn.MarginRankingLoss(0.3,{r})",
            "t((4,),9)",
            "t((4,),10)",
            "f32(1,-1,1,-1)",
            no_grad=[2],
        )
        case(
            f"HingeEmbeddingLoss-{reduction}",
            f"nn.HingeEmbeddingLoss(0.5,{r})",
            p,
            "Tensor(np.array([[1,-1,1],[-1,1,-1]],np.float32))",
            no_grad=[1],
        )
        case(f"TripletMarginLoss-{reduction}", f"nn.TripletMarginLoss({r})", p, q, "t((2,3),11)")
        case(
            f"PoissonNLLLoss-{reduction}",
            f"nn.PoissonNLLLoss({r})",
            p,
            "t((2,3),10,0,3)",
            no_grad=[1],
        )
        case(
            f"PoissonNLLLoss-full-{reduction}",
            f"nn.PoissonNLLLoss(False,True,{r})",
            "t((2,3),9,0.1,2)",
            "t((2,3),10,0,3)",
            no_grad=[1],
        )
        case(f"GaussianNLLLoss-{reduction}", f"nn.GaussianNLLLoss({r})", p, q, "t((2,3),11,0.1,2)")
        case(
            f"GaussianNLLLoss-full-{reduction}",
            f"nn.GaussianNLLLoss(full=True,{r})",
            p,
            q,
            "t((2,1),11,0.1,2)",
        )
        case(
            f"MultiLabelSoftMarginLoss-{reduction}",
            f"nn.MultiLabelSoftMarginLoss({r})",
            p,
            "f32(0,0,1,1,0,1).reshape(2,3)",
            no_grad=[1],
        )
        case(
            f"MultilabelMarginLoss-{reduction}",
            f"nn.MultilabelMarginLoss({r})",
            p,
            "Tensor(np.array([[1,2,-1],[0,-1,1]],np.int32))",
        )
        case(
            f"MultiMarginLoss-{reduction}", f"nn.MultiMarginLoss({r})", p, "Tensor([2,0],ms.int64)"
        )
        case(f"FocalLoss-{reduction}", f"nn.FocalLoss({r})", p, "Tensor([[1],[2]],ms.int32)")
        case(
            f"CTCLoss-{reduction}",
            f"nn.CTCLoss(0,{r})",
            "ops.log_softmax(t((4,2,3),9),2)",
            "Tensor(np.array([[1,2],[2,1]],np.int32))",
            "Tensor([4,3],ms.int32)",
            "Tensor([2,1],ms.int32)",
        )
        case(
            f"TripletMarginWithDistanceLoss-{reduction}",
            f"nn.TripletMarginWithDistanceLoss({r})",
            p,
            q,
            "t((2,3),11)",
        )
    case("MSELoss-default", "nn.MSELoss()", p, q)
    case("MSELoss-broadcast", "nn.MSELoss()", p, "t((3,),10)")
    case("SmoothL1Loss-default", "nn.SmoothL1Loss()", p, q)
    case("SmoothL1Loss-beta", "nn.SmoothL1Loss(0.3,'mean')", p, q)
    case("HuberLoss-delta", "nn.HuberLoss(delta=0.3)", p, q)
    case(
        "BCELoss-weight",
        "nn.BCELoss(weight=t((2,3),11,0.5,2))",
        "t((2,3),9,0.05,0.95)",
        "t((2,3),10,0,1)",
        no_grad=[1],
    )
    case(
        "BCELoss-extremes",
        "nn.BCELoss(reduction='none')",
        "f32(0,1,0.5)",
        "f32(1,1,0)",
        no_grad=[1],
    )
    case(
        "BCEWithLogitsLoss-weights",
        "nn.BCEWithLogitsLoss('mean',t((3,),11,0.5,2),t((3,),12,0.5,2))",
        p,
        "t((2,3),10,0,1)",
        no_grad=[1],
    )
    case(
        "KLDivLoss-batchmean",
        "nn.KLDivLoss('batchmean')",
        "t((2,3),9,-3,-0.1)",
        "t((2,3),10,0.05,0.9)",
        no_grad=[1],
    )
    case("CrossEntropyLoss-image", "nn.CrossEntropyLoss()", "t((1,3,2,2),9)", "ti((1,2,2),1,3)")
    case(
        "CrossEntropyLoss-ignore",
        "nn.CrossEntropyLoss(ignore_index=2)",
        p,
        "Tensor([2,0],ms.int32)",
    )
    case("CrossEntropyLoss-unbatched", "nn.CrossEntropyLoss()", "t((3,),9)", "Tensor(1,ms.int32)")
    case(
        "SoftmaxCE-sparse-int64",
        "nn.SoftmaxCrossEntropyWithLogits(sparse=True,reduction='mean')",
        p,
        "Tensor([2,0],ms.int64)",
    )
    case(
        "TripletMarginLoss-options",
        "nn.TripletMarginLoss(1,True,1e-5,'mean',0.5)",
        p,
        q,
        "t((2,3),11)",
    )
    case("RMSELoss", "nn.RMSELoss()", p, q)
    case(
        "DiceLoss", "nn.DiceLoss()", "t((2,3),9,0,1)", "f32(0,0,1,1,0,1).reshape(2,3)", no_grad=[1]
    )
    case(
        "MultiClassDiceLoss",
        "nn.MultiClassDiceLoss(activation='softmax')",
        "t((2,3),9,0,1)",
        "f32(0,0,1,1,0,0).reshape(2,3)",
        no_grad=[1],
    )
    case(
        "FocalLoss-weight",
        "nn.FocalLoss(weight=f32(0.2,0.3,0.5),gamma=1.5)",
        p,
        "Tensor([[1],[2]],ms.int32)",
    )
    case(
        "CTCLoss-zero-infinity",
        "nn.CTCLoss(0,'mean',True)",
        "ops.log_softmax(t((2,1,3),9),2)",
        "Tensor(np.array([[1,1]],np.int32))",
        "Tensor([2],ms.int32)",
        "Tensor([2],ms.int32)",
    )
    case(
        "MultiMarginLoss-options",
        "nn.MultiMarginLoss(2,0.5,'mean',f32(1,2,3))",
        p,
        "Tensor([2,0],ms.int64)",
    )
    case("WithLossCell", "nn.WithLossCell(nn.Dense(3,2),nn.MSELoss())", p, "t((2,2),10)")
    case(
        "WithEvalCell", "nn.WithEvalCell(nn.Dense(3,2),nn.MSELoss())", p, "t((2,2),10)", grad=False
    )


def networks() -> None:
    block = """
class Block(nn.Cell):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(cin, cout, 3, stride=stride)
        self.bn1 = nn.BatchNorm2d(cout)
        self.conv2 = nn.Conv2d(cout, cout, 3)
        self.bn2 = nn.BatchNorm2d(cout)
        self.relu = nn.ReLU()
        self.down = nn.SequentialCell([nn.Conv2d(cin, cout, 1, stride=stride), nn.BatchNorm2d(cout)])
    def construct(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        return self.relu(self.bn2(self.conv2(y)) + self.down(x))
"""
    for train in (False, True):
        mode = "train" if train else "eval"
        case(f"residual-block-{mode}", "Block(2,3,2)", "t((2,2,4,4),9)", setup=block, train=train)
    lenet = """
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.features = nn.SequentialCell(nn.Conv2d(1, 2, 3, pad_mode='valid'), nn.ReLU(), nn.MaxPool2d(2, 2))
        self.flatten = nn.Flatten()
        self.heads = nn.CellList([nn.Dense(8, 3), nn.Dense(8, 2, activation='tanh')])
        self.scale = Parameter(Tensor(1.5, ms.float32))
    def construct(self, x):
        y = self.flatten(self.features(x))
        return tuple(h(y) * self.scale for h in self.heads)
"""
    case("two-headed", "Net()", "t((1,1,6,6),9)", setup=lenet)
    case(
        "sequential-ordered",
        "nn.SequentialCell(OrderedDict([('a',nn.Dense(3,2)),('b',nn.Tanh())]))",
        "t((2,3),9)",
        setup="from collections import OrderedDict",
    )


def main() -> None:
    ms = framework()
    for family in (
        convolutions,
        dense,
        normalization,
        recurrent,
        attention,
        pooling,
        activations,
        shapes,
        losses,
        networks,
    ):
        family()
    result, dropped = record(ms, CASES, layer)
    write("layers", result, no_cpu_kernel=[d["id"] for d in dropped])


if __name__ == "__main__":
    main()

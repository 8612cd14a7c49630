"""What is loaded late. Written by scripts/late_index.py; not to be edited."""

from __future__ import annotations

__all__ = ["OPERATORS", "PACKAGES", "VALUES"]

#: Of each module below `agar.ops`: the names that it declares, by their kind.
OPERATORS = {
    "ascend.adaptive_quant": {
        "primitives": "ActsULQ ActsULQInputGrad ActULQClampMinGrad ActULQClampMaxGrad WtsARQ",
    },
    "ascend.batch_norm_fold": {
        "primitives": """BatchNormFold BatchNormFoldGrad BatchNormFold2 BatchNormFold2Grad
            CorrectionMul CorrectionMulGrad CorrectionMulGradReduce
        """,
    },
    "ascend.fake_quant": {
        "primitives": """FakeQuantPerLayer FakeQuantPerLayerGrad FakeQuantPerChannel
            FakeQuantPerChannelGrad FakeQuantWithMinMaxVars FakeQuantWithMinMaxVarsGradient
            FakeQuantWithMinMaxVarsPerChannel FakeQuantWithMinMaxVarsPerChannelGradient
        """,
    },
    "ascend.learned_quant": {
        "primitives": """MinMaxUpdatePerLayer MinMaxUpdatePerChannel FakeLearnedScaleQuantPerLayer
            FakeLearnedScaleQuantPerLayerGrad FakeLearnedScaleQuantPerChannel
            FakeLearnedScaleQuantPerChannelGrad
        """,
    },
    "ascend.quant_parts": {
        "primitives": """FakeLearnedScaleQuantPerLayerGradD
            FakeLearnedScaleQuantPerLayerGradDReduce FakeLearnedScaleQuantPerChannelGradD
            FakeLearnedScaleQuantPerChannelGradDReduce BatchNormFoldD BatchNormFoldGradD
            BatchNormFold2D BatchNormFold2GradReduce BatchNormFold2GradD
        """,
    },
    "ascend.thor": {
        "primitives": """CusBatchMatMul CusMatMulCube CusMatMulCubeDenseLeft
            CusMatMulCubeFraczLeftCast CusMatMulCubeDenseRight CusMatMulCubeFraczRightMul
            UpdateThorGradient CusCholeskyTrsm CholeskyTrsm CusMatrixCombine CusFusedAbsMax1
            DetTriangle
        """,
    },
    "ascend.thor_patches": {
        "primitives": "CusTranspose02314 CusImg2Col ThorIm2Col NewIm2Col LoadIm2Col",
    },
    "attention.flash_primitives": {
        "primitives": "FlashAttentionScore IncreFlashAttention",
    },
    "attention.incremental": {
        "functions": "incre_flash_attention fused_infer_attention_score",
    },
    "attention.mixture_of_experts": {
        "functions": """moe_token_permute moe_token_unpermute moe_init_routing_v2
            moe_compute_expert_tokens
        """,
        "primitives": "MoeTokenPermute MoeTokenUnpermute MoeInitRoutingV2 MoeComputeExpertTokens",
    },
    "attention.multi_head": {
        "functions": "flash_attention_score",
    },
    "attention.paged": {
        "primitives": """ReshapeAndCache PagedAttention PagedAttentionMask ApplyRotaryPosEmb
            GroupTopk
        """,
    },
    "attention.prompt": {
        "functions": "prompt_flash_attention",
        "primitives": "PromptFlashAttention",
    },
    "attention.sparse": {
        "functions": """nsa_compress nsa_compress_attention nsa_select_attention lightning_indexer
            sparse_flash_attention
        """,
    },
    "attention.training": {
        "functions": "speed_fusion_attention ring_attention_update rotary_position_embedding",
        "primitives": "RingAttentionUpdate RotaryPositionEmbedding",
    },
    "image.blocks": {
        "functions": """pixel_shuffle pixel_unshuffle channel_shuffle space_to_batch_nd
            batch_to_space_nd
        """,
        "primitives": """ChannelShuffle SpaceToDepth DepthToSpace SpaceToBatchND BatchToSpaceND
            SpaceToBatch BatchToSpace
        """,
        "mints": "nn.functional.pixel_shuffle",
    },
    "image.boxes": {
        "functions": "iou bounding_box_encode bounding_box_decode check_valid",
        "primitives": "IOU BoundingBoxEncode BoundingBoxDecode CheckValid NMSWithMask",
    },
    "image.color": {
        "primitives": "AdjustHue AdjustSaturation RGBToHSV HSVToRGB",
    },
    "image.deformable": {
        "functions": "deformable_conv2d multi_scale_deformable_attn_function",
        "primitives": "MultiScaleDeformableAttn",
    },
    "image.grid_sample": {
        "functions": "grid_sample affine_grid crop_and_resize",
        "primitives": """GridSampler2D GridSampler3D AffineGrid CropAndResize ROIAlign ResizeArea
            UpsampleNearest3D UpsampleTrilinear3D
        """,
        "mints": "nn.functional.grid_sample",
    },
    "image.patches": {
        "functions": "unfold fold col2im",
        "methods": "unfold fold col2im",
        "primitives": "Col2Im Im2Col ExtractImagePatches ExtractVolumePatches",
        "mints": "nn.functional.unfold nn.functional.fold",
    },
    "image.resizing": {
        "functions": "interpolate upsample",
        "primitives": """ResizeBilinearV2 ResizeBilinear ResizeNearestNeighborV2
            ResizeNearestNeighbor ResizeBicubic ResizeLinear1D
        """,
    },
    "image.rotated_boxes": {
        "functions": "rotated_iou",
        "primitives": "RotatedIou",
    },
    "image.suppression": {
        "primitives": """NonMaxSuppressionV3 NonMaxSuppressionWithOverlaps
            CombinedNonMaxSuppression
        """,
    },
    "image.windows": {
        "primitives": """ExtractGlimpse ScaleAndTranslate Dilation2D DeformableOffsets
            SampleDistortedBoundingBoxV2
        """,
    },
    "linalg.decompositions": {
        "functions": """matrix_power matrix_exp matrix_solve cholesky cholesky_inverse
            cholesky_solve qr svd pinv eig eigvals lstsq lu_solve lu_unpack geqrf orgqr ormqr cond
        """,
        "methods": """matrix_power triangular_solve cholesky cholesky_inverse cholesky_solve qr
            svd eigvals lstsq lu_solve geqrf orgqr ormqr
        """,
        "primitives": """MatrixPower MatrixExp MatrixSolve MatrixTriangularSolve Cholesky
            CholeskyInverse CholeskySolve Qr Svd Eig Geqrf Orgqr
        """,
        "mints": "triangular_solve linalg.qr",
    },
    "linalg.determinants": {
        "functions": "det matrix_determinant slogdet log_matrix_determinant logdet inverse",
        "methods": "det matrix_determinant slogdet log_matrix_determinant logdet inverse",
        "primitives": "MatrixDeterminant LogMatrixDeterminant MatrixInverse",
        "mints": "inverse linalg.inv",
    },
    "linalg.diagonals": {
        "functions": """tril triu diag diagonal diag_embed diagflat matrix_band_part matrix_diag
            matrix_diag_part matrix_set_diag
        """,
        "methods": "tril triu diag diagonal diagflat",
        "primitives": """Tril Triu Diag DiagPart MatrixBandPart MatrixDiagV3 MatrixDiagPartV3
            MatrixSetDiagV3
        """,
        "mints": "tril triu diag",
    },
    "linalg.grouped_matmul": {
        "functions": "gmm gmm_backward gmm_backward_fusion",
    },
    "linalg.matrix_functions": {
        "primitives": "MatrixLogarithm MatrixSolveLs Betainc",
    },
    "linalg.norms": {
        "functions": "cdist pdist dist norm vector_norm matrix_norm renorm cosine_similarity",
        "methods": "norm renorm",
        "primitives": "Cdist LpNorm",
        "mints": "cdist linalg.norm norm linalg.vector_norm linalg.matrix_norm",
    },
    "linalg.products": {
        "functions": """matmul mm bmm mv dot inner outer ger vecdot kron tensor_dot batch_dot
            einsum trace cross
        """,
        "methods": "__matmul__ matmul mm bmm dot inner outer ger trace cross",
        "primitives": "MatMul BatchMatMul Ger Einsum Trace Cross",
        "mints": "matmul mm bmm mv dot vdot outer einsum trace cross",
    },
    "linalg.weighted_products": {
        "functions": "addmm addmv addr addbmm baddbmm",
        "methods": "addmm addmv addr addbmm baddbmm",
        "mints": "addmm addmv addbmm baddbmm",
    },
    "math.arithmetic": {
        "functions": """add tensor_add sub tensor_sub subtract mul multiply tensor_mul tensor_muls
            pow tensor_pow pows float_power maximum minimum fmax fmin atan2 arctan2 hypot
            logaddexp logaddexp2 copysign nextafter ldexp gcd lcm
        """,
        "methods": """__add__ __radd__ add __sub__ __rsub__ sub subtract mul multiply __mul__
            __rmul__ pow __pow__ __rpow__ float_power maximum minimum fmax fmin atan2 arctan2
            hypot logaddexp logaddexp2 copysign nextafter ldexp gcd lcm
        """,
        "primitives": """Add TensorAdd Sub Mul MulNoNan SquaredDifference Pow Maximum Minimum Fmax
            Fmin Atan2 Hypot NextAfter Gcd Lcm
        """,
        "mints": """add sub mul pow float_power maximum minimum atan2 arctan2 logaddexp logaddexp2
            gcd
        """,
    },
    "math.comparison": {
        "functions": """isnan isfinite isinf isposinf isneginf isreal signbit logical_not equal eq
            not_equal ne less lt tensor_lt less_equal le tensor_le greater gt tensor_gt
            greater_equal ge tensor_ge isclose approximate_equal logical_and logical_or
            logical_xor bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift
            invert population_count is_floating_point is_complex is_nonzero
        """,
        "methods": """isnan isfinite isinf isposinf isneginf isreal signbit logical_not equal eq
            not_equal ne less lt __lt__ less_equal le __le__ greater gt __gt__ greater_equal ge
            __ge__ isclose allclose approximate_equal logical_and logical_or logical_xor
            __invert__ bitwise_and __and__ bitwise_or __or__ bitwise_xor __xor__
            bitwise_left_shift bitwise_right_shift invert bitwise_not is_floating_point is_complex
            is_signed
        """,
        "primitives": """IsNan IsFinite IsInf LogicalNot Equal NotEqual Less LessEqual Greater
            GreaterEqual IsClose ApproximateEqual LogicalAnd LogicalOr LogicalXor BitwiseAnd
            BitwiseOr BitwiseXor LeftShift RightShift Invert PopulationCount
        """,
        "mints": """isnan isfinite isinf isneginf logical_not eq ne not_equal less lt less_equal
            le greater gt greater_equal ge isclose allclose logical_and logical_or logical_xor
            bitwise_and bitwise_or bitwise_xor bitwise_not
        """,
    },
    "math.complex_numbers": {
        "functions": "real imag polar",
        "methods": "real imag",
        "primitives": "Real Imag Complex Polar",
        "mints": "real imag polar",
    },
    "math.cumulative": {
        "functions": "cumsum cumprod cummax cummin logcumsumexp diff trapz",
        "methods": "cumsum cumprod cummax cummin logcumsumexp diff",
        "primitives": "CumSum CumProd Cummax Cummin CumulativeLogsumexp",
        "mints": "cumsum cumprod cummax cummin diff",
    },
    "math.division": {
        "functions": """div divide true_divide tensor_div floor_div floordiv tensor_floordiv
            floor_divide floor_mod floormod tensor_mod remainder fmod truncate_mod truncate_div
        """,
        "methods": """div divide true_divide __truediv__ __rtruediv__ floor_divide __floordiv__
            __rfloordiv__ remainder __mod__ __rmod__ fmod
        """,
        "primitives": "Div RealDiv FloorDiv FloorMod TruncateMod Mod TruncateDiv DivNoNan",
        "mints": "div divide floor_divide remainder fmod",
    },
    "math.elementwise": {
        "functions": """exp tensor_exp expm1 tensor_expm1 exp2 log log2 log10 log1p rsqrt
            reciprocal sin cos tan asin arcsin acos arccos atan arctan sinh cosh tanh asinh
            arcsinh acosh arccosh atanh arctanh floor ceil trunc frac sign sgn conj angle sqrt
            square abs absolute neg negative positive round inv deg2rad rad2deg
        """,
        "methods": """exp expm1 exp2 log log2 log10 log1p rsqrt reciprocal sin cos tan asin arcsin
            acos arccos atan arctan sinh cosh tanh asinh arcsinh acosh arccosh atanh arctanh floor
            ceil trunc frac sign sgn conj angle sqrt square abs absolute __abs__ neg negative
            __neg__ positive __round__ round inv deg2rad rad2deg
        """,
        "primitives": """Exp Expm1 Log Log1p Rsqrt Reciprocal Sin Cos Tan Asin ACos Atan Sinh Cosh
            Tanh Asinh Acosh Atanh Floor Ceil Trunc Sign Conj Angle Sqrt Square Abs Neg Round Rint
            Inv
        """,
        "mints": """exp expm1 special.expm1 exp2 special.exp2 log log2 log10 log1p special.log1p
            rsqrt reciprocal sin cos tan asin arcsin acos arccos atan arctan sinh cosh tanh
            nn.functional.tanh asinh arcsinh acosh arccosh atanh arctanh floor ceil trunc fix frac
            sign sqrt square abs neg negative round special.round special.round_op
        """,
    },
    "math.extrema": {
        "functions": "max min amax amin aminmax argmax argmin reduce_max reduce_min",
        "methods": """max min amax amin aminmax ptp argmax argmin argmax_with_value
            argmin_with_value
        """,
        "primitives": "Argmax Argmin ArgMaxWithValue ArgMinWithValue ReduceMax ReduceMin",
        "mints": "max min amax amin argmax argmin",
    },
    "math.fft": {
        "functions": """fft ifft rfft irfft hfft ihfft fft2 ifft2 fftn ifftn rfft2 irfft2 rfftn
            irfftn hfft2 ihfft2 hfftn ihfftn fftfreq rfftfreq fftshift ifftshift bartlett_window
            blackman_window hann_window hamming_window kaiser_window stft
        """,
        "primitives": "BartlettWindow BlackmanWindow HammingWindow FFTWithSize STFT",
    },
    "math.interpolation": {
        "functions": """clamp clip clip_by_value nan_to_num lerp addcmul addcdiv addn accumulate_n
            clip_by_global_norm clip_by_norm
        """,
        "methods": "clamp clip nan_to_num lerp addcmul addcdiv",
        "primitives": "NanToNum Lerp LerpScalar Addcmul Addcdiv AddN AccumulateNV2",
        "mints": "clamp clip nan_to_num lerp addcmul addcdiv",
    },
    "math.reduction": {
        "functions": "sum mean prod all any reduce_mean reduce_sum",
        "methods": "sum sum_to_size mean prod all any",
        "primitives": "ReduceAll ReduceAny ReduceMean ReduceProd ReduceSum",
        "mints": "sum mean prod all any",
    },
    "math.segment": {
        "functions": """unsorted_segment_sum unsorted_segment_max unsorted_segment_min
            unsorted_segment_prod sparse_segment_mean
        """,
        "methods": "unsorted_segment_max unsorted_segment_min unsorted_segment_prod",
        "primitives": """UnsortedSegmentSum UnsortedSegmentMax UnsortedSegmentMin
            UnsortedSegmentProd SegmentSum SegmentMean SegmentMax SegmentMin SegmentProd
        """,
    },
    "math.special": {
        "functions": """erf erfc erfinv lgamma digamma sinc i0 bessel_j0 bessel_j1 bessel_y0
            bessel_y1 bessel_i0 bessel_i1 bessel_i0e bessel_i1e bessel_k0 bessel_k1 bessel_k0e
            bessel_k1e xlogy xdivy heaviside logit igamma igammac polygamma mvlgamma zeta eps
        """,
        "methods": """erf erfc erfinv lgamma digamma sinc i0 xlogy xdivy heaviside logit igamma
            igammac mvlgamma
        """,
        "primitives": """Erf Erfc Erfinv Lgamma Digamma Sinc BesselJ0 BesselJ1 BesselY0 BesselY1
            BesselI0 BesselI1 BesselI0e BesselI1e BesselK0 BesselK1 BesselK0e BesselK1e Xlogy
            Xdivy Heaviside Logit Igamma Igammac Polygamma Mvlgamma Zeta Eps
        """,
        "mints": "erf erfc special.erfc erfinv sinc special.sinc xlogy",
    },
    "math.statistics": {
        "functions": """std var std_mean var_mean logsumexp count_nonzero nansum nanmean median
            nanmedian quantile nanquantile cov bincount histc
        """,
        "methods": """std var logsumexp count_nonzero nansum nanmean median nanmedian quantile
            nanquantile cov bincount histc
        """,
        "primitives": "ReduceStd",
        "mints": "std var std_mean var_mean logsumexp count_nonzero nansum median bincount histc",
    },
    "nn.activation": {
        "functions": """relu relu6 leaky_relu prelu rrelu hardtanh threshold hardshrink softshrink
            soft_shrink elu celu selu gelu fast_gelu silu mish hardswish hardsigmoid sigmoid
            logsigmoid softplus softsign tanhshrink glu swiglu
        """,
        "methods": "hardshrink soft_shrink sigmoid",
        "primitives": """ReLU ReLU6 PReLU HShrink SoftShrink Elu CeLU SeLU GeLU Gelu FastGeLU
            FastGelu Mish HSwish HSigmoid Sigmoid Softplus Softsign GLU
        """,
        "mints": """nn.functional.relu nn.functional.leaky_relu nn.functional.prelu
            nn.functional.hardshrink nn.functional.softshrink nn.functional.selu
            nn.functional.gelu nn.functional.mish nn.functional.hardswish
            nn.functional.hardsigmoid sigmoid nn.functional.sigmoid nn.functional.logsigmoid
            nn.functional.softplus nn.functional.glu
        """,
    },
    "nn.convolution": {
        "functions": "conv1d conv2d conv3d conv_transpose2d conv3d_transpose",
        "mints": "nn.functional.conv_transpose2d",
    },
    "nn.convolution_primitives": {
        "primitives": """Conv2D DepthwiseConv2dNative Conv2DTranspose Conv2DBackpropInput Conv3D
            Conv3DTranspose
        """,
    },
    "nn.ctc": {
        "functions": "ctc_loss ctc_greedy_decoder",
        "primitives": "CTCLossV2 CTCLossV2Grad CTCLoss CTCGreedyDecoder",
    },
    "nn.dense": {
        "functions": "dense bidense bias_add embedding",
        "primitives": "Dense BiasAdd EmbeddingLookup",
        "mints": "nn.functional.linear nn.functional.embedding",
    },
    "nn.dropout": {
        "functions": "dropout dropout1d dropout2d dropout3d",
        "primitives": "Dropout Dropout2D Dropout3D",
    },
    "nn.layer_normalization": {
        "functions": "layer_norm rms_norm add_rms_norm add_layer_norm",
        "primitives": "LayerNorm RmsNorm",
        "mints": "nn.functional.layer_norm",
    },
    "nn.loss": {
        "functions": """mse_loss l1_loss smooth_l1_loss huber_loss gaussian_nll_loss
            soft_margin_loss hinge_embedding_loss margin_ranking_loss cosine_embedding_loss
            triplet_margin_loss
        """,
        "mints": """nn.functional.mse_loss nn.functional.l1_loss nn.functional.smooth_l1_loss
            nn.functional.soft_margin_loss nn.functional.cosine_embedding_loss
        """,
    },
    "nn.loss_classification": {
        "functions": """cross_entropy nll_loss binary_cross_entropy
            binary_cross_entropy_with_logits kl_div multilabel_soft_margin_loss
            multilabel_margin_loss multi_margin_loss
        """,
        "mints": """nn.functional.cross_entropy nn.functional.nll_loss
            nn.functional.binary_cross_entropy nn.functional.binary_cross_entropy_with_logits
            nn.functional.kl_div
        """,
    },
    "nn.loss_primitives": {
        "primitives": """SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits NLLLoss
            BinaryCrossEntropy BCEWithLogitsLoss SigmoidCrossEntropyWithLogits KLDivLoss
            SmoothL1Loss SoftMarginLoss MultiMarginLoss MultilabelMarginLoss TripletMarginLoss
        """,
    },
    "nn.mint_functional": {
        "primitives": "LogSoftmaxExt",
        "mints": """nn.functional.conv1d nn.functional.conv2d conv2d nn.functional.conv3d
            nn.functional.avg_pool1d nn.functional.avg_pool2d nn.functional.avg_pool3d
            nn.functional.max_pool2d nn.functional.adaptive_max_pool1d nn.functional.batch_norm
            nn.functional.dropout nn.functional.dropout2d nn.functional.elu nn.functional.hardtanh
            nn.functional.relu6 nn.functional.silu nn.functional.threshold nn.functional.softmax
            nn.functional.log_softmax special.log_softmax nn.functional.normalize
            nn.functional.one_hot nn.functional.pad nn.functional.flatten
        """,
    },
    "nn.mint_normalization": {
        "mints": "batch_norm_stats batch_norm_gather_stats_with_counts batch_norm_elemt",
    },
    "nn.mint_resizing": {
        "mints": "nn.functional.interpolate nn.functional.upsample",
    },
    "nn.normalization": {
        "functions": "batch_norm group_norm instance_norm lrn",
        "primitives": "BatchNorm InstanceNorm LRN L2Normalize L2Loss",
        "mints": "nn.functional.group_norm",
    },
    "nn.padding": {
        "functions": "pad mirror_pad padding",
        "primitives": "Pad MirrorPad PadV3 Padding",
    },
    "nn.pooling": {
        "functions": "max_pool2d max_pool3d avg_pool1d avg_pool2d avg_pool3d",
    },
    "nn.pooling_adaptive": {
        "functions": """adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d
            adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d lp_pool1d lp_pool2d
            max_unpool1d max_unpool2d max_unpool3d fractional_max_pool2d fractional_max_pool3d
        """,
        "primitives": "AdaptiveAvgPool2D AdaptiveAvgPool3D",
        "mints": """nn.functional.adaptive_avg_pool1d nn.functional.adaptive_avg_pool2d
            nn.functional.adaptive_avg_pool3d nn.functional.adaptive_max_pool2d
            nn.functional.max_unpool2d
        """,
    },
    "nn.pooling_fractional": {
        "primitives": "FractionalMaxPool FractionalAvgPool",
    },
    "nn.pooling_primitives": {
        "primitives": """MaxPool AvgPool MaxPool3D AvgPool3D MaxPoolWithArgmax MaxPoolWithArgmaxV2
            MaxPool3DWithArgmax FractionalMaxPoolWithFixedKsize FractionalMaxPool3DWithFixedKsize
            AdaptiveMaxPool2D AdaptiveMaxPool3D MaxUnpool2D MaxUnpool3D
        """,
    },
    "nn.recurrent": {
        "primitives": "LSTM",
    },
    "nn.recurrent_primitives": {
        "primitives": "BasicLSTMCell DynamicRNN DynamicGRUV2 RNNTLoss",
    },
    "nn.sequences": {
        "primitives": "EditDistance NoRepeatNGram ComputeAccidentalHits",
    },
    "nn.softmax": {
        "functions": "softmax log_softmax softmin gumbel_softmax",
        "methods": "softmax",
        "primitives": "Softmax LogSoftmax",
    },
    "optim.adafactor": {
        "primitives": "FusedAdaFactor FusedAdaFactorWithGlobalNorm",
    },
    "optim.adagrad": {
        "primitives": """ApplyAdadelta ApplyAdagrad ApplyAdagradV2 ApplyAdagradDA
            ApplyProximalAdagrad ApplyFtrl
        """,
    },
    "optim.adam": {
        "primitives": """Adam AdamNoUpdateParam AdamWeightDecay FusedCastAdamWeightDecay
            ApplyAdaMax ApplyAdamWithAmsgrad ApplyAdamWithAmsgradV2
        """,
    },
    "optim.descent": {
        "primitives": """ApplyRMSProp ApplyCenteredRMSProp ApplyMomentum
            FusedWeightScaleApplyMomentum ApplyKerasMomentum ApplyGradientDescent
            ApplyProximalGradientDescent ApplyAddSign ApplyPowerSign SGD LARSUpdate
        """,
    },
    "optim.lamb": {
        "primitives": "LambApplyOptimizerAssign LambApplyWeightAssign",
    },
    "optim.sparse_adagrad": {
        "primitives": """SparseApplyAdagrad SparseApplyAdagradV2 FusedSparseProximalAdagrad
            SparseApplyProximalAdagrad SparseApplyAdadelta SparseApplyRMSProp
        """,
    },
    "optim.sparse_adam": {
        "primitives": """FusedSparseAdam FusedSparseLazyAdam FusedSparseFtrl SparseApplyFtrl
            SparseApplyFtrlV2
        """,
    },
    "optim.sparse_descent": {
        "primitives": """SparseApplyCenteredRMSProp SparseApplyMomentum
            SparseApplyProximalGradientDescent SparseApplyAdagradDA
        """,
    },
    "primitives.caches": {
        "primitives": "UpdateCache CacheSwapTable DynamicAssign Load TransShape",
    },
    "primitives.classes": {
        "primitives": """ComplexAbs ConjugateTranspose CheckNumerics FloatStatus EqualCount
            SquareSumAll ListDiff LowerBound UpperBound UnravelIndex DataFormatDimMap
            DataFormatVecPermute ParallelConcat LogSpace FillDiagonal IndexPut TypeAs PadAndShift
        """,
    },
    "primitives.embedding_cache": {
        "primitives": "MapUniform SubAndFilter MapCacheIdx",
    },
    "primitives.linalg": {
        "primitives": "Lstsq LuSolve LuUnpack Ormqr TridiagonalMatMul",
    },
    "primitives.reductions": {
        "primitives": """CountNonZero EuclideanNorm NuclearNorm Pdist Renorm Median Quantile
            Histogram HistogramFixedWidth Bincount
        """,
    },
    "primitives.values": {
        "primitives": """ConfusionMatrix CompareAndBitpack RaggedRange BatchToSpaceNDV2
            NonDeterministicInts DropoutGenMask DropoutDoMask NPUAllocFloatStatus
            NPUGetFloatStatus NPUClearFloatStatus
        """,
    },
    "python.control": {
        "primitives": "Identity StopGradient",
    },
    "random.choice": {
        "functions": """random_categorical bernoulli multinomial multinomial_with_replacement
            choice_with_mask shuffle randperm uniform_candidate_sampler
            log_uniform_candidate_sampler
        """,
        "methods": "random_categorical multinomial",
    },
    "random.choice_primitives": {
        "primitives": """Bernoulli Multinomial MultinomialWithReplacement RandomCategorical
            RandomChoiceWithMask RandomShuffle RandpermV2 Randperm LogUniformCandidateSampler
            UniformCandidateSampler
        """,
    },
    "random.distribution_primitives": {
        "primitives": """UniformReal UniformInt StandardNormal StandardLaplace TruncatedNormal
            ParameterizedTruncatedNormal LogNormalReverse Cauchy Gamma RandomGamma RandomPoisson
            Poisson
        """,
    },
    "random.distributions": {
        "functions": """uniform rand rand_like randint randint_like normal standard_normal randn
            randn_like standard_laplace laplace
        """,
        "methods": "cauchy log_normal",
    },
    "random.gamma_poisson": {
        "functions": "gamma random_gamma random_poisson poisson",
    },
    "random.generator": {
        "functions": "bernoulli_ext",
        "methods": "bernoulli",
        "mints": """rand rand_like randn randn_like randint randint_like randperm normal bernoulli
            multinomial
        """,
    },
    "random.in_place": {
        "functions": "random_ uniform_ normal_ exponential_ bernoulli_",
        "methods": "random_ uniform_ uniform normal_ exponential_ bernoulli_",
    },
    "sparse.dense": {
        "functions": "csr2coo coo2csr csr_gather coalesce",
        "primitives": """Coalesce SparseToDense SparseTensorDenseMatmul SparseTensorDenseAdd
            SparseSlice
        """,
    },
    "tensor.assignment": {
        "functions": """assign assign_add assign_sub scatter_update scatter_nd_update scatter_add
            scatter_nd_add scatter_sub scatter_nd_sub scatter_mul scatter_nd_mul scatter_div
            scatter_nd_div scatter_max scatter_nd_max scatter_min scatter_nd_min index_add
            inplace_index_add
        """,
        "primitives": """Assign AssignAdd AssignSub ScatterUpdate ScatterNdUpdate ScatterAdd
            ScatterNdAdd ScatterSub ScatterNdSub ScatterMul ScatterNdMul ScatterDiv ScatterNdDiv
            ScatterMax ScatterNdMax ScatterMin ScatterNdMin IndexAdd
        """,
    },
    "tensor.assignment_primitives": {
        "primitives": """InplaceIndexAdd InplaceUpdateV2 ScatterAddWithAxis ScatterNonAliasingAdd
            CopyWithSlice SelectView TransposeView TransposeExtView
        """,
    },
    "tensor.casting": {
        "functions": "cast type_as",
        "methods": """astype to type type_as half float double bfloat16 bool byte short int long
            char
        """,
        "primitives": "Cast",
    },
    "tensor.creation": {
        "functions": "zeros ones deepcopy full fill fills zeros_like ones_like full_like",
        "methods": "clone fill fills new_zeros new_ones new_empty new_full new_tensor",
        "primitives": "Zeros Ones Fill FillV2 Fills ZerosLike OnesLike",
        "mints": "zeros ones empty empty_like clone full zeros_like ones_like full_like",
    },
    "tensor.flips": {
        "functions": "flip reverse fliplr flipud roll rot90 reverse_sequence sequence_mask",
        "methods": "flip reverse fliplr flipud roll rot90 reverse_sequence",
        "primitives": "ReverseV2 Roll ReverseSequence",
        "mints": "flip roll",
    },
    "tensor.indexing": {
        "functions": """where select masked_fill masked_select nonzero argwhere gather
            gather_elements gather_d gather_nd index_select take
        """,
        "methods": """where select masked_fill masked_select masked_scatter nonzero argwhere
            gather_elements gather gather_nd index_select take choose
        """,
        "primitives": """Select MaskedFill MaskedSelect MaskedScatter NonZero Gather GatherV2
            SparseGatherV2 GatherD GatherNd
        """,
        "mints": "where select masked_select nonzero gather index_select take",
    },
    "tensor.inplace": {
        "functions": "clamp_ tanh_ erfinv_ zero_ put_",
        "methods": """add_ sub_ mul_ div_ pow_ remainder_ floor_divide_ clamp_ lerp_ addmm_
            logical_not_ exp_ log_ sqrt_ rsqrt_ square_ reciprocal_ abs_ neg_ floor_ ceil_ round_
            trunc_ sign_ sigmoid_ tanh_ sin_ cos_ erfinv_ zero_ fill_ masked_fill_ masked_scatter_
            copy_ index_add_ index_copy_ index_fill_ index_put_ put_ scatter_ scatter_add_
            fill_diagonal_ fill_diagonal itemset
        """,
    },
    "tensor.joining": {
        "functions": """cat concat stack hstack vstack row_stack dstack column_stack atleast_1d
            atleast_2d atleast_3d tile repeat_interleave repeat_elements block_diag
        """,
        "methods": "tile repeat repeat_interleave",
        "primitives": "Concat Stack Pack Tile",
        "mints": "cat concat stack hstack dstack tile repeat_interleave",
    },
    "tensor.metadata": {
        "functions": "shape shape_ dyn_shape numel size rank dtype",
        "methods": """numel nelement dim ndimension element_size storage_offset data_ptr stride
            is_contiguous contiguous
        """,
        "primitives": "Shape TensorShape DynamicShape Size Rank DType",
    },
    "tensor.mint_functions": {
        "primitives": "UpsampleNearest2D UpsampleBilinear2D",
        "mints": """item equal softmax npu_gelu conv_tbc nn.upsample_nearest2d_op
            nn.upsample_bilinear2d_op index_add
        """,
    },
    "tensor.mint_inplace": {
        "functions": "inplace_sigmoid",
        "mints": """nn.functional.relu_ nn.functional.sigmoid_ nn.functional.inplace_silu
            nn.functional.elu_ nn.functional.inplace_elu nn.functional.elu_ext
            nn.functional.hardtanh_ nn.functional.threshold_ addr_
        """,
    },
    "tensor.ranges": {
        "functions": """arange range tensor_range linspace logspace eye tril_indices triu_indices
            one_hot meshgrid vander
        """,
        "primitives": "Range LinSpace Eye TrilIndices TriuIndices OneHot Meshgrid",
        "mints": "arange linspace eye meshgrid",
    },
    "tensor.scattering": {
        "functions": """scatter tensor_scatter_elements tensor_scatter_update tensor_scatter_add
            tensor_scatter_sub tensor_scatter_mul tensor_scatter_div tensor_scatter_max
            tensor_scatter_min scatter_nd index_fill select_scatter slice_scatter diagonal_scatter
            inplace_update inplace_add inplace_sub
        """,
        "methods": """index scatter scatter_add scatter_sub scatter_mul scatter_div scatter_max
            scatter_min index_add index_fill index_put select_scatter slice_scatter
            diagonal_scatter inplace_update
        """,
        "primitives": """TensorScatterElements TensorScatterUpdate TensorScatterAdd
            TensorScatterSub TensorScatterMul TensorScatterDiv TensorScatterMax TensorScatterMin
            ScatterNd IndexFill InplaceUpdate InplaceAdd InplaceSub
        """,
        "mints": "scatter scatter_add",
    },
    "tensor.slicing": {
        "functions": """narrow split chunk tensor_split hsplit vsplit dsplit unbind unstack slice
            tensor_slice strided_slice
        """,
        "methods": "narrow split chunk tensor_split hsplit vsplit dsplit unbind",
        "primitives": "Split SplitV Unstack Unpack Slice StridedSlice",
        "mints": "narrow split chunk unbind",
    },
    "tensor.sorting": {
        "functions": "sort argsort msort topk top_k intopk searchsorted bucketize",
        "methods": "sort argsort msort topk top_k kthvalue searchsorted",
        "primitives": "Sort TopK NthElement InTopK SearchSorted Bucketize",
        "mints": "sort argsort topk kthvalue searchsorted",
    },
    "tensor.transpose": {
        "functions": "transpose permute swapaxes swapdims movedim moveaxis t adjoint",
        "methods": "transpose permute swapaxes swapdims movedim moveaxis t adjoint",
        "properties": "T mT H mH",
        "primitives": "Transpose",
        "mints": "permute swapaxes transpose t",
    },
    "tensor.unique": {
        "functions": "unique unique_consecutive unique_with_pad cartesian_prod combinations",
        "methods": "unique unique_consecutive unique_with_pad",
        "primitives": "Unique UniqueConsecutive UniqueWithPad InvertPermutation",
        "mints": "unique unique_consecutive",
    },
    "tensor.views": {
        "functions": """reshape reshape_ view_as squeeze expand_dims unsqueeze flatten ravel
            broadcast_to expand expand_as view_as_real
        """,
        "methods": """reshape view view_as reshape_as resize squeeze expand_dims unsqueeze flatten
            ravel broadcast_to expand expand_as
        """,
        "primitives": "Reshape Squeeze ExpandDims Flatten BroadcastTo Expand",
        "mints": "reshape squeeze unsqueeze flatten ravel broadcast_to",
    },
}

#: Of each module below `agar.ops`: its names that are no operators.
VALUES = {
    "primitive": """Primitive PrimitiveWithCheck PrimitiveWithInfer constexpr prim_arg_register
        prim_attr_register
    """,
    "ascend.op_info": """AiCPURegOp AkgAscendRegOp AkgGpuRegOp CpuRegOp CustomRegOp DataType
        TBERegOp custom_info_register op_info_register
    """,
    "ascend.quant_parts": "IFMR FakeQuantParam",
    "attention.mixture_of_experts": "moe_distribute_combine moe_distribute_dispatch",
    "linalg.einsum_lists": "einsum_ext",
    "primitives.debug": """Assert DtypeToEnum DumpGradient GeSwitch GetNext Merge Morph PyExecute
        Reusing TensorDump UpdateState
    """,
    "python.compiler_values": """SliceGetItem array_reduce broadcast_gradient_args distribute
        embed env_get environ_add environ_create environ_get environ_set geswitch
        is_dynamic_sequence_element_unknown is_sequence_shape_unknown is_sequence_value_unknown
        merge switch switch_layer
    """,
    "python.control": """Depend HookBackward HyperMap IdentityN InsertGradientOf Map
        MultitypeFuncGraph Partial Print add_flags depend hyper_add identity partial print_
        stop_gradient stop_gradient_
    """,
    "python.custom": "Custom CustomOpBuilder PyFunc kernel ms_kernel",
    "python.dump": "tensordump",
    "python.iteration": """J iter_converter ms_hasnext ms_next recompute_block ref_to_embed tail
        zip_operation
    """,
    "python.loops": "ForiLoop Scan WhileLoop",
    "python.placement": "reshard",
    "python.registry": "get_vm_impl_fn tensor_operator_registry vm_impl_registry",
    "python.summary": "HistogramSummary ImageSummary ScalarSummary TensorSummary",
    "python.taylor": "derivative jet linearize",
    "python.values": """ScalarCast ScalarToArray ScalarToTensor TensorToTuple TupleToArray
        array_to_scalar mixed_precision_cast reduced_shape scalar_cast scalar_to_array
        scalar_to_tensor tuple_to_array typeof scalar_add scalar_sub scalar_mul scalar_div
        scalar_floordiv scalar_mod scalar_pow scalar_max scalar_min scalar_eq scalar_ne scalar_gt
        scalar_ge scalar_lt scalar_le scalar_uadd scalar_usub scalar_log bool_not bool_and bool_or
        bool_eq string_eq string_concat is_ is_not in_dict not_in_dict dict_getitem dict_setitem
        tuple_getitem tuple_setitem tuple_len tuple_reversed tuple_equal tuple_div list_getitem
        list_setitem list_len list_equal make_tuple make_list make_dict make_range make_slice
        shape_mul isconstant is_tensor_bool_cond hastype augassign_add augassign_sub augassign_mul
        augassign_div augassign_mod augassign_floordiv
    """,
    "sparse.coo": """coo_add coo_concat make_coo_tensor make_row_tensor make_row_tensor_inner
        make_sparse_tensor
    """,
    "sparse.csr": """csr_add csr_div csr_mm csr_mul csr_mv csr_reduce_sum csr_softmax csr_to_coo
        csr_to_dense dense_to_sparse_coo dense_to_sparse_csr make_csr_tensor
    """,
    "sparse.dense": "",
    "sparse.elementwise": """coo_abs coo_acos coo_acosh coo_asin coo_asinh coo_atan coo_atanh
        coo_ceil coo_cos coo_cosh coo_exp coo_expm1 coo_floor coo_inv coo_isfinite coo_isinf
        coo_isnan coo_log coo_log1p coo_neg coo_relu coo_relu6 coo_round coo_sigmoid coo_sin
        coo_sinh coo_softsign coo_sqrt coo_square coo_tan coo_tanh csr_abs csr_acos csr_acosh
        csr_asin csr_asinh csr_atan csr_atanh csr_ceil csr_cos csr_cosh csr_exp csr_expm1
        csr_floor csr_inv csr_isfinite csr_isinf csr_isnan csr_log csr_log1p csr_neg csr_relu
        csr_relu6 csr_round csr_sigmoid csr_sin csr_sinh csr_softsign csr_sqrt csr_square csr_tan
        csr_tanh
    """,
    "sparse.parts": """make_map_parameter row_tensor_add coo_tensor_get_indices
        coo_tensor_get_values coo_tensor_get_dense_shape csr_tensor_get_indptr
        csr_tensor_get_indices csr_tensor_get_values csr_tensor_get_dense_shape
        row_tensor_get_indices row_tensor_get_values row_tensor_get_dense_shape
    """,
}

#: Of each package: the modules whose names it hands on, and which;
#: ``own=shown`` for those that it calls otherwise.
PACKAGES = {
    "agar": {
        "agar": "amp graph train",
        "agar.nn.torch_cell": "TorchCell as_torch",
        "agar.tools.network_summary": "summary",
        "agar.train": """F1 MAE MSE ROC Accuracy BleuScore Callback CheckpointConfig
            ConfusionMatrix ConfusionMatrixMetric ConvertModelUtils ConvertNetUtils
            CosineSimilarity Dice DynamicLossScaleManager EarlyStopping Fbeta
            FixedLossScaleManager HausdorffDistance History LambdaCallback LearningRateScheduler
            Loss LossMonitor LossScaleManager MeanSurfaceDistance Metric Model ModelCheckpoint
            OcclusionSensitivity Perplexity Precision Recall ReduceLROnPlateau
            RootMeanSquareDistance RunContext TimeMonitor Top1CategoricalAccuracy
            Top5CategoricalAccuracy TopKCategoricalAccuracy async_ckpt_thread_status auc
            build_train_network ckpt_to_safetensors export get_metric_fn load load_by_structure
            load_checkpoint load_checkpoint_async load_param_into_net names rearrange_inputs
            safetensors_to_ckpt save_checkpoint
        """,
    },
    "agar.nn": {
        "agar.nn": """cell dynamic_lr grad graph_cell layer learning_rate_schedule loss metrics
            optim probability sparse torch_cell utils wrap
        """,
        "agar.nn.dynamic_lr": """cosine_decay_lr exponential_decay_lr inverse_decay_lr
            natural_exp_decay_lr piecewise_constant_lr polynomial_decay_lr warmup_lr
        """,
        "agar.nn.grad": "Jvp Vjp",
        "agar.nn.graph_cell": "GraphCell",
        "agar.nn.layer": """CELU ELU GELU GLU GRU LRN LSTM MSSSIM PSNR RNN SSIM AdaptiveAvgPool1d
            AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d
            AdaptiveMaxPool3d AvgPool1d AvgPool1dExt AvgPool2d AvgPool2dExt AvgPool3d AvgPool3dExt
            BatchNorm1d BatchNorm2d BatchNorm3d BiDense CellDict CellList CentralCrop
            ChannelShuffle ClipByNorm ConstantPad1d ConstantPad2d ConstantPad3d Conv1d
            Conv1dTranspose Conv2d Conv2dBnAct Conv2dThor Conv2dTranspose Conv3d Conv3dTranspose
            Dense DenseBnAct DenseThor DiGamma Dropout Dropout1d Dropout2d Dropout2dExt Dropout3d
            DropoutExt Embedding EmbeddingExt EmbeddingLookup EmbeddingLookupThor EmbeddingThor
            FastGelu Flatten FractionalMaxPool2d FractionalMaxPool3d GroupNorm GRUCell Hardtanh
            HShrink HSigmoid HSwish Identity IGamma ImageGradients InstanceNorm1d InstanceNorm2d
            InstanceNorm3d L1Regularizer LayerNorm LayerNormExt LBeta LeakyReLU LGamma Linear
            LogSigmoid LogSoftmax LogSoftmaxExt LPPool1d LPPool2d LSTMCell MatDet MatInverse
            MatMul MatrixDiag MatrixDiagPart MatrixSetDiag MaxPool1d MaxPool2d MaxPool2dExt
            MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d Mish Moments MultiFieldEmbeddingLookup
            MultiheadAttention Norm OneHot Pad PixelShuffle PixelUnshuffle PReLU PReLUExt Range
            ReduceLogSumExp ReflectionPad1d ReflectionPad2d ReflectionPad3d ReLU ReLU6
            ReplicationPad1d ReplicationPad2d ReplicationPad3d RNNCell Roll RReLU SeLU
            SequentialCell Sigmoid SiLU Softmax Softmax2d Softmin SoftShrink Softsign
            SyncBatchNorm Tanh Tanhshrink Threshold TimeDistributed Transformer TransformerDecoder
            TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer Tril Triu Unflatten
            Unfold Upsample ZeroPad2d get_activation
        """,
        "agar.nn.layer.resize": "ResizeBilinear",
        "agar.nn.learning_rate_schedule": """CosineDecayLR ExponentialDecayLR InverseDecayLR
            NaturalExpDecayLR PolynomialDecayLR WarmUpLR
        """,
        "agar.nn.loss": """BCELoss BCEWithLogitsLoss CosineEmbeddingLoss CrossEntropyLoss CTCLoss
            DiceLoss FocalLoss GaussianNLLLoss HingeEmbeddingLoss HuberLoss KLDivLoss L1Loss
            L1LossExt LossBase MAELoss MarginRankingLoss MSELoss MultiClassDiceLoss
            MultilabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss PoissonNLLLoss
            RMSELoss SampledSoftmaxLoss SmoothL1Loss SoftMarginLoss SoftmaxCrossEntropyWithLogits
            TripletMarginLoss TripletMarginWithDistanceLoss
        """,
        "agar.nn.metrics": """F1 MAE MSE ROC Accuracy BleuScore ConfusionMatrix
            ConfusionMatrixMetric CosineSimilarity Dice Fbeta HausdorffDistance Loss
            MeanSurfaceDistance Metric OcclusionSensitivity Perplexity Precision Recall
            RootMeanSquareDistance Top1CategoricalAccuracy Top5CategoricalAccuracy
            TopKCategoricalAccuracy auc get_metric_fn get_metrics names rearrange_inputs
        """,
        "agar.nn.optim": """ASGD FTRL LARS SGD Adadelta AdaFactor Adagrad Adam AdaMax AdamOffload
            AdamWeightDecay AdaSumByDeltaWeightWrapCell AdaSumByGradWrapCell Lamb LazyAdam
            Momentum Optimizer OptTFTWrapper ProximalAdagrad RMSProp Rprop thor
        """,
        "agar.nn.sparse": "SparseTensorDenseMatmul SparseToDense",
        "agar.nn.utils": "no_init_parameters",
        "agar.nn.wrap": """DistributedGradReducer DynamicLossScaleUpdateCell
            FixedLossScaleUpdateCell ForwardValueAndGrad GetNextSingleOp GradAccumulationCell
            MicroBatchInterleaved ParameterUpdate PipelineCell PipelineGradReducer
            TrainOneStepCell TrainOneStepWithLossScaleCell VirtualDatasetCellTriple WithEvalCell
            WithGradCell WithLossCell
        """,
    },
    "agar.nn.layer": {
        "agar.nn.layer": """activation basic channel_shuffle combined container conv dense
            embedding image math normalization padding pooling rnn_cells rnns thor_layer
            timedistributed transformer
        """,
        "agar.nn.layer.activation": """CELU ELU GELU GLU LRN FastGelu Hardtanh HShrink HSigmoid
            HSwish LeakyReLU LogSigmoid LogSoftmax LogSoftmaxExt Mish PReLU PReLUExt ReLU ReLU6
            RReLU SeLU Sigmoid SiLU Softmax Softmax2d Softmin SoftShrink Softsign Tanh Tanhshrink
            Threshold get_activation
        """,
        "agar.nn.layer.basic": """ClipByNorm Dense Dropout Dropout1d Dropout2d Dropout2dExt
            Dropout3d DropoutExt Flatten Identity L1Regularizer Linear MatrixDiag MatrixDiagPart
            MatrixSetDiag Norm OneHot Pad Roll Tril Triu Unflatten Unfold Upsample
        """,
        "agar.nn.layer.channel_shuffle": "ChannelShuffle",
        "agar.nn.layer.combined": "Conv2dBnAct DenseBnAct",
        "agar.nn.layer.container": "CellDict CellList SequentialCell",
        "agar.nn.layer.conv": """Conv1d Conv1dTranspose Conv2d Conv2dTranspose Conv3d
            Conv3dTranspose
        """,
        "agar.nn.layer.dense": "BiDense",
        "agar.nn.layer.embedding": """Embedding EmbeddingExt EmbeddingLookup
            MultiFieldEmbeddingLookup
        """,
        "agar.nn.layer.image": """MSSSIM PSNR SSIM CentralCrop ImageGradients PixelShuffle
            PixelUnshuffle
        """,
        "agar.nn.layer.math": """CosineSimilarity DiGamma IGamma LBeta LGamma MatDet MatInverse
            MatMul Moments Range ReduceLogSumExp
        """,
        "agar.nn.layer.normalization": """BatchNorm1d BatchNorm2d BatchNorm3d GroupNorm
            InstanceNorm1d InstanceNorm2d InstanceNorm3d LayerNorm LayerNormExt SyncBatchNorm
        """,
        "agar.nn.layer.padding": """ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d
            ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d
            ZeroPad2d
        """,
        "agar.nn.layer.pooling": """AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d
            AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d AvgPool1d AvgPool1dExt AvgPool2d
            AvgPool2dExt AvgPool3d AvgPool3dExt FractionalMaxPool2d FractionalMaxPool3d LPPool1d
            LPPool2d MaxPool1d MaxPool2d MaxPool2dExt MaxPool3d MaxUnpool1d MaxUnpool2d
            MaxUnpool3d
        """,
        "agar.nn.layer.rnn_cells": "GRUCell LSTMCell RNNCell",
        "agar.nn.layer.rnns": "GRU LSTM RNN",
        "agar.nn.layer.thor_layer": "Conv2dThor DenseThor EmbeddingLookupThor EmbeddingThor",
        "agar.nn.layer.timedistributed": "TimeDistributed",
        "agar.nn.layer.transformer": """MultiheadAttention Transformer TransformerDecoder
            TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer
        """,
    },
    "agar.nn.loss": {
        "agar.nn.loss.loss": """BCELoss BCEWithLogitsLoss CosineEmbeddingLoss CrossEntropyLoss
            CTCLoss DiceLoss FocalLoss GaussianNLLLoss HingeEmbeddingLoss HuberLoss KLDivLoss
            L1Loss L1LossExt LossBase MAELoss MarginRankingLoss MSELoss MultiClassDiceLoss
            MultilabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss PoissonNLLLoss
            RMSELoss SampledSoftmaxLoss SmoothL1Loss SoftMarginLoss SoftmaxCrossEntropyWithLogits
            TripletMarginLoss TripletMarginWithDistanceLoss
        """,
    },
    "agar.nn.optim": {
        "agar.nn.optim.ada_grad": "Adagrad",
        "agar.nn.optim.adadelta": "Adadelta",
        "agar.nn.optim.adafactor": "AdaFactor",
        "agar.nn.optim.adam": "Adam AdamOffload AdamWeightDecay",
        "agar.nn.optim.adamax": "AdaMax",
        "agar.nn.optim.adasum": "AdaSumByDeltaWeightWrapCell AdaSumByGradWrapCell",
        "agar.nn.optim.asgd": "ASGD",
        "agar.nn.optim.ftrl": "FTRL",
        "agar.nn.optim.lamb": "Lamb",
        "agar.nn.optim.lars": "LARS",
        "agar.nn.optim.lazyadam": "LazyAdam",
        "agar.nn.optim.momentum": "Momentum",
        "agar.nn.optim.optimizer": "Optimizer",
        "agar.nn.optim.proximal_ada_grad": "ProximalAdagrad",
        "agar.nn.optim.rmsprop": "RMSProp",
        "agar.nn.optim.rprop": "Rprop",
        "agar.nn.optim.sgd": "SGD",
        "agar.nn.optim.tft_wrapper": "OptTFTWrapper",
    },
    "agar.nn.wrap": {
        "agar.nn.layer.timedistributed": "TimeDistributed",
        "agar.nn.wrap": "parallel_optimizer running",
        "agar.nn.wrap.cell_wrapper": """ForwardValueAndGrad GetNextSingleOp GradAccumulationCell
            MicroBatchInterleaved ParameterUpdate PipelineCell TrainOneStepCell
            VirtualDatasetCellTriple WithEvalCell WithGradCell WithLossCell
        """,
        "agar.nn.wrap.grad_reducer": "DistributedGradReducer PipelineGradReducer",
        "agar.nn.wrap.loss_scale": """DynamicLossScaleUpdateCell FixedLossScaleUpdateCell
            TrainOneStepWithLossScaleCell
        """,
    },
}

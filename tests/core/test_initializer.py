def test_an_initializer_shows_its_settings_and_no_address():
    from agar import nn
    from agar.common.initializer import Constant, Normal, Zero

    assert [repr(i) for i in (Zero(), Constant(2.0), Normal(0.1))] == [
        "Zero()",
        "Constant(value=2.0)",
        "Normal(sigma=0.1, mean=0.0)",
    ]
    assert repr(nn.Conv2d(1, 2, 3)) == repr(nn.Conv2d(1, 2, 3))
    assert "weight_init=HeUniform(" in repr(nn.Conv2d(1, 2, 3))

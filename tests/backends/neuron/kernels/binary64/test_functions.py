"""Functions of float64 against the host's extended precision, whose significands have 64 bits or more, on all targets and readings."""

import numpy as np
import pytest
import scipy.special

from .numbers import READINGS, SPECIAL, apply, pairs

LONG = np.longdouble
assert np.finfo(LONG).nmant >= 63
COUNT = 128 * 12
BOUND = 0.52  # units in the last place: half of one for the rounding, and what 58 bits before it leave
BY_TABLE = {"exp": 0.57, "exp2": 0.57, **dict.fromkeys(("log", "log2", "log10"), 0.8), "sin": 0.7, "cos": 0.7, "tan": 0.7}
"""Bounds where float32 has the last bits of what a table's number is multiplied by: most of subnormal results, and of logarithms near 1."""
rng = np.random.default_rng(24)
ENDS = [
    *(709.782712893384, 709.7827128933841, -745.1332191019411, -745.1332191019412, -744.5, 1023.9999999999999, -1074, -1074.5, -1075),
    *(0.34657359027997264, 0.3465735902799727, 36.7, -37.4, 19.1, 22.2, 1 + 2.0**-52, 1 - 2.0**-53, 1e-17, 1e-8, np.pi, np.pi / 2),
    *(np.pi / 4, 2.0**-121, 1e22, 6381956970095103 * 2.0**797, 0.4142135623730951, np.sqrt(0.5), np.sqrt(2), 0.125, 1e308, 1e5),
]
"""Ends of ranges, of reductions, and the number that is nearest to a multiple of pi / 2."""
ALL = np.exp2(rng.uniform(-1074, 1024, COUNT // 4))
MIDDLE = [rng.uniform(0, 4, COUNT // 4), rng.uniform(0, 800, COUNT // 8), np.exp2(rng.uniform(-60, 4, COUNT // 8))]
NEAR_ONE = 1 + rng.standard_normal(COUNT // 8) * 2.0 ** rng.integers(-52, -3, COUNT // 8)
CHOSEN = np.concatenate([SPECIAL, -SPECIAL, ENDS, np.negative(ENDS), ALL, *MIDDLE, NEAR_ONE])[:COUNT]
NUMBERS = np.concatenate([CHOSEN, rng.uniform(-1, 1, COUNT - CHOSEN.size)])
NUMBERS[2 * SPECIAL.size + 2 * len(ENDS) :: 2] *= -1
INSIDE = np.divide(1, NUMBERS, out=NUMBERS.copy(), where=np.abs(NUMBERS) > 2)
ABOVE = np.where(NUMBERS > -1, np.abs(NUMBERS), NUMBERS)


def expit(x):
    return np.where(x > 0, 1 / (1 + np.exp(-x)), np.exp(x) / (1 + np.exp(x)))


FUNCTIONS = {
    **{name: (getattr(np, name), NUMBERS) for name in ("exp", "exp2", "expm1", "sinh", "cosh", "tanh", "arcsinh", "arctan", "cbrt")},
    **{name: (getattr(np, name), NUMBERS) for name in ("sin", "cos", "tan")},
    **{name: (getattr(np, name), ABOVE) for name in ("log", "log2", "log10", "log1p", "arccosh")},
    **{name: (getattr(np, name), INSIDE) for name in ("arcsin", "arccos", "arctanh")},
    "expit": (expit, np.clip(NUMBERS, -745, 800)),
}
OF_TWO = {"arctan2": np.arctan2, "hypot": np.hypot}

NORMAL = [
    (0.0, "0.0", "1.0", "0.5"),
    (5e-324, "5.574933819448522712676e-324", "1.0", "0.5"),
    (1e-17, "1.128379167095512654623e-17", "0.9999999999999999887162", "0.4999999999999999960106"),
    (9.313225746154785e-10, "1.050884991041862008693e-9", "0.9999999989491150089581", "0.4999999996284560482936"),
    (0.25, "0.2763263901682369329851", "0.7236736098317630670149", "0.4012936743170762757591"),
    (np.float64(0.49999999999999994), "0.5204998778130464889005", "0.4795001221869535110995", "0.3085375387259869159058"),
    (0.5, "0.5204998778130465376827", "0.4795001221869534623173", "0.3085375387259868963623"),
    (0.75, "0.7111556336535151315989", "0.2888443663464848684011", "0.2266273523768681993271"),
    (1.0, "0.8427007929497148693412", "0.1572992070502851306588", "0.1586552539314570514148"),
    (1.5, "0.966105146475310727067", "0.03389485352468927293302", "0.06680720126885806600449"),
    (2.25, "0.9985372834133188483021", "0.001462716586681151697911", "0.01222447265504470315262"),
    (3.0, "0.9999779095030014145586", "0.00002209049699858544137278", "0.001349898031630094526652"),
    (4.5, "0.9999999998033839558457", "1.966160441542887476279e-10", "0.000003397673124730060401687"),
    (5.9, "0.9999999999999999280959", "7.190409783550477724856e-17", "1.817507863099428457777e-9"),
    (6.5, "0.9999999999999999999616", "3.842148327120647469876e-20", "4.016000583859117808346e-11"),
    (9.0, "1.0", "4.137031746513810238054e-37", "1.128588405953840647736e-19"),
    (13.3, "1.0", "6.368006404723223476702e-79", "1.15734162836903259417e-40"),
    (20.0, "1.0", "5.395865611607900928935e-176", "2.753624118606233695076e-89"),
    (26.0, "1.0", "5.663192408856142846476e-296", "2.476063315503389285787e-149"),
    (26.54, "1.0", "2.645558174468510575183e-308", "1.675117229803325751369e-155"),
    (27.2, "1.0", "1.018904914270315539514e-323", "3.247441790863770136298e-163"),
    (27.3, "1.0", "4.361512551339108465125e-326", "2.120798624319849104259e-164"),
    (30.0, "1.0", "2.564656203756111600033e-393", "4.906713927148187059534e-198"),
    (4.830018, "0.99999999999154851471", "8.451485289955048594774e-12", "6.826035422950400978625e-7"),
    (4.847645, "0.9999999999928988810367", "7.101118963285917212945e-12", "6.246785544711219110992e-7"),
    (3.091953, "0.999987727049697967229", "0.00001227295030203277103675", "0.0009942216480834928173474"),
    (1.714808, "0.9846960289136760697065", "0.01530397108632393029352", "0.04319021716217542824831"),
    (0.323584, "0.3527722869120098460502", "0.6472277130879901539498", "0.3731265014658779232865"),
    (2.300213, "0.9988580345698499758523", "0.001141965430150024147693", "0.01071807784038591836134"),
    (2.450839, "0.9994717558826073025126", "0.0005282441173926974873974", "0.007126184290986382623413"),
    (0.271651, "0.2991494219187430258165", "0.7008505780812569741835", "0.3929451905649173211787"),
    (0.292546, "0.3209226681172735449972", "0.6790773318827264550028", "0.3849345971953529168176"),
]  # fmt: skip
"""Numbers, and error function, complement, and normal distribution of their negatives, to 22 digits by mpmath 1.4 with 200 bits."""

GAMMA = [
    (1.0, "1.0"),
    (2.0, "1.0"),
    (3.0, "2.0"),
    (10.0, "362880.0"),
    (25.0, "6.2044840173323943936e+23"),
    (0.5, "1.772453850905516027298"),
    (171.6, "1.585896909667256508986e+308"),
    (171.62437, "1.797628828869356949545e+308"),
    (1e-307, "1.000000000000000090673e+307"),
    (1e-300, "9.999999999999999749409e+299"),
    (1e-17, "99999999999999992.26854"),
    (7.999999, "5039.989841177523464115"),
    (8.0, "5040.0"),
    (1.4616321449683622, "0.8856031944108887002788"),
    (15.5, "334838609873.5564569724"),
    (100.25, "2.94846628183876997001e+156"),
    (-0.5, "-3.544907701811032054596"),
    (-1.5, "2.363271801207354703064"),
    (-170.5, "-3.31273952153860731481e-308"),
    (-171.3, "6.683759476869889567163e-310"),
    (-183.5, "1.9136544535942195637e-337"),
    (-1e-05, "-100000.5772255555440547"),
    (-0.402182209046007, "-3.7152817748059231371"),
    (-2.0000001, "-4999999.546790820487884"),
    (-9.75, "0.000002197547155462853887869"),
    (6.457972, "267.028870980882580761"),
    (4.11925, "6.983479658514124446072"),
    (4.428807, "10.54332272327933215204"),
    (4.493961, "11.53462887191732861582"),
    (11.84934, "27654168.53657923024832"),
    (7.593075, "2244.35558943189620936"),
    (8.091887, "6068.898415230562275114"),
    (3.959561, "5.704163140026157029208"),
    (8.159012, "6955.889427765538346688"),
    (1.475668, "0.8856872533328086558751"),
    (20.224948, "237605909515199649.897"),
    (147.180424, "2.889710286715526816386e+254"),
    (13.414433, "1373821548.078763050225"),
    (167.624042, "2.19373447325096179954e+299"),
    (143.493481, "3.117850308122255798734e+246"),
    (136.848543, "1.737893151099842552098e+232"),
    (19.645274, "42547927525597192.9026"),
    (44.982843, "2.490690213944876924657e+54"),
    (-144.477157, "-5.284634080358933904975e-251"),
    (-73.524118, "7.397973593589815633999e-107"),
    (-106.669549, "-1.394117929963537861366e-171"),
    (-20.788008, "-1.905238383807839211816e-19"),
    (-31.677174, "4.319427412313809401196e-35"),
    (-84.535545, "-8.84756990009227496231e-128"),
    (-129.109318, "1.102047447475306785558e-217"),
    (-91.775725, "1.0760687833340377791e-141"),
    (-18.169613, "-5.884037983170490229035e-16"),
    (-147.251633, "7.282173993067945560187e-257"),
]  # fmt: skip
"""Numbers and their gamma, from the same source."""


def units(found, exact):
    """Errors in units in the last place; infinite where signs, infinities or NaN differ."""
    with np.errstate(all="ignore"):
        wanted = exact.astype(np.float64)
        error = np.abs((found.astype(LONG) - exact) / np.spacing(np.abs(wanted)).astype(LONG)).astype(np.float64)
    finite = np.isfinite(wanted) & np.isfinite(found)
    same = ((found == wanted) & (np.signbit(found) == np.signbit(wanted))) | (np.isnan(found) & np.isnan(wanted))
    return np.where(finite & (np.signbit(found) == np.signbit(wanted)), error, np.where(same, 0, np.inf))


def check(name, function, *operands, number, bound=BOUND):
    with np.errstate(all="ignore"):
        exact = function(*(operand.astype(LONG) for operand in operands))
    for target, knobs in (READINGS[0], READINGS[1 + number % 2], *READINGS[3:]):
        error = units(apply(name, *operands, target=target, knobs=knobs), exact)
        worst = int(np.argmax(error))
        assert error[worst] <= bound, (target, [float(operand[worst]).hex() for operand in operands], error[worst])


def test_powers():
    """Exponents bring results to the ends of the range, where the logarithm's error counts most; powers of integers; special numbers."""
    size = COUNT // 4
    x, y = pairs(COUNT, 9)
    x[:size] = np.concatenate([np.exp2(rng.uniform(-1, 1, size // 2)), np.exp2(rng.uniform(-1074, 1023, size - size // 2))])
    y[:size] = rng.uniform(-1, 1, size) * 1075 / np.abs(np.log2(x[:size]))
    x[size : 2 * size], y[size : 2 * size] = rng.normal(0, 3, size), rng.integers(-30, 30, size)
    check("power", np.power, x, y, number=1, bound=0.55)
    special = [0.0, 1.0, 2.0, 0.5, np.inf, 3.0, 2.0**53, 2.0**53 + 2, 2.0**52 + 1, 1e300, 5e-324, 2.5, 1 / 3, 1074.0]
    both = np.array([*special, *np.negative(special), np.nan, -1022.5])
    x, y = (np.resize(part, 128 * 8) for part in np.meshgrid(both, both))
    check("power", np.power, x.ravel(), y.ravel(), number=2, bound=0.55)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_one_operand(name):
    function, numbers = FUNCTIONS[name]
    check(name, function, numbers, number=len(name), bound=BY_TABLE.get(name, BOUND))


@pytest.mark.parametrize("name", OF_TWO)
def test_two_operands(name):
    x, y = pairs(COUNT, 8)
    with np.errstate(all="ignore"):
        x[-COUNT // 4 :] = y[-COUNT // 4 :] * rng.uniform(-3, 3, COUNT // 4)
    check(name, OF_TWO[name], x, y, number=len(name))


@pytest.mark.parametrize("name", ["erf", "erfc", "ndtr"])
def test_error_functions(name):
    numbers = np.resize([number for number, *_ in NORMAL], 128)
    tails = np.resize(np.array([row[{"erf": 1, "erfc": 2, "ndtr": 3}[name]] for row in NORMAL]).astype(LONG), 128)
    other = -tails if name == "erf" else 2 - tails if name == "erfc" else 1 - tails
    x, expected = np.concatenate([numbers, -numbers]), np.concatenate([tails, other])
    if name == "ndtr":
        x = -x
    for target, knobs in (*READINGS[:2], *READINGS[3:]):
        error = units(apply(name, x, target=target, knobs=knobs), expected)
        worst = int(np.argmax(error))
        assert error[worst] <= 0.55, (target, float(x[worst]).hex(), error[worst])
    ends = np.resize([np.inf, -np.inf, np.nan, 1e300, -1e300], 128)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(apply(name, ends), getattr(scipy.special, name)(ends))


def test_gamma():
    x = np.resize([number for number, _ in GAMMA], 128)
    expected = np.resize(np.array([digits for _, digits in GAMMA]).astype(LONG), 128)
    for target, knobs in (*READINGS[:2], *READINGS[3:]):
        error = units(apply("gamma", x, target=target, knobs=knobs), expected)
        worst = int(np.argmax(error))
        assert error[worst] <= 0.6, (target, float(x[worst]).hex(), error[worst])
    ends = np.resize([0.0, -0.0, np.inf, -np.inf, np.nan, -1, -2, -1e300, 172, 1e300, -200.5, -201.5], 128)
    wanted = np.resize([np.inf, -np.inf, np.inf, np.nan, np.nan, np.nan, np.nan, np.nan, np.inf, np.inf, -0.0, 0.0], 128)
    np.testing.assert_array_equal(units(apply("gamma", ends), wanted.astype(LONG)), 0)


@pytest.mark.parametrize("name", ["scaled_gamma", "log_gamma_slope", "scaled_erfc"])
def test_parts_of_functions(name):
    """Within one unit, to which SciPy's float64 adds its own ones: at most 12."""
    x = rng.uniform(-0.5, 0.5, 128) if name == "log_gamma_slope" else np.exp2(rng.uniform(-100, 5, 128))
    if name == "scaled_gamma":
        stirling = np.sqrt(2 * np.pi) * x ** (x - 0.5) * np.exp(-x)
        expected = scipy.special.gamma(x) / np.where(x < 8, 1.0, stirling)
    elif name == "scaled_erfc":
        expected = scipy.special.erfcx(x)
    else:
        power = np.arange(2, 60)  # the Taylor series
        expected = 1 - np.euler_gamma + np.sum(scipy.special.zetac(power) / power * -((-x[:, None]) ** (power - 1)), axis=1)
    for target, knobs in (READINGS[1], *READINGS[3:]):
        error = units(apply(name, x, target=target, knobs=knobs), expected.astype(LONG))
        assert np.max(error) <= 12, (target, x[np.argmax(error)], np.max(error))

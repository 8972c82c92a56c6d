"""
Predicted time: what a program would take on the device, from published figures.

Every figure is a row of `hardware.HARDWARE` or `table.ROWS`, with unit, source and status. Those that documents leave open are fitted to
published times of others (`conformance predictions --fit`) within the limits that documents allow, or guesses. A prediction has an interval
that is stated to cover 80 % of unseen kernels, and says which share of its critical path rests on guesses. Nothing was measured by us.

Notes
-----
``figure.py``, ``hardware.py``, ``table.py`` (rows of instructions), ``conditions.py`` (when a row holds, and what it counts) are data.
``costs.py`` tells what single instructions take, without a program. ``calibration.py`` replaces figures by measured ones;
``microbenchmarks.py`` has the programs to measure. ``profile.py`` and ``dma.py`` say what an instruction asks of the machine;
``footprint.py``, ``access.py``, ``dependence.py`` and ``placement.py`` what it has to wait for, ``dead_fills.py`` what need not run;
``engines.py`` and ``schedule.py`` play it; ``critical_path.py`` and ``prediction.py`` are the result, ``spread.py`` its interval;
``report.py``, ``perfetto.py`` and ``roofline.py`` make a table, a trace and a plot of it.
"""

from .calibration import Calibration
from .costs import Costs, current_costs
from .figure import Figure
from .predict import predict
from .prediction import Interval, Prediction, Skip, Step
from .roofline import roofline_plot

__all__ = ["Calibration", "Costs", "Figure", "Interval", "Prediction", "Skip", "Step", "current_costs", "predict", "roofline_plot"]

"""The effort of household tasks as a figure: what was done within how many actions, and the output.

Paper, figure 2. The same report gives the same bytes: nothing in the file tells when it was made.
"""

import io

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, MultipleLocator

from controlscope.canonical import JsonObject

__all__ = ["effort_figures"]

_STYLES = {"keep": ("#6b7280", ":"), "arg": ("#2563eb", "--"), "full": ("#b45309", "-")}
_OTHER = ("#0f766e", "-.")
_ACTIONS = 100


def effort_figures(report: JsonObject) -> dict[str, bytes]:
    """Return the SVG files of a household panel by name, one a group; none of other panels.

    In an instrument check the axis counts tasks, because no rate is told of it, and there is no
    output to show.
    """
    return {
        _name(group): _drawn(report, group)
        for group in report["groups"]
        if group["effort"] is not None
    }


def _name(group: JsonObject) -> str:
    draw = f"-draw-{group['draw'] + 1}" if group["draw"] else ""
    return f"effort-{group['row'].replace(' ', '_')}{draw}.svg"


def _drawn(report: JsonObject, group: JsonObject) -> bytes:
    effort = group["effort"]
    outputs = {name: cell["output"] for name, cell in effort.items()}
    told = any(outputs.values())
    # An own figure and canvas: no state of the library, no display.
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rc("svg", hashsalt="effort", fonttype="path")
        mpl.rc("font", size=9)
        figure = Figure(figsize=(7.0, 2.9) if told else (4.4, 2.9), layout="constrained")
        done, *rest = figure.subplots(1, 2 if told else 1, squeeze=False)[0]
        figure.suptitle(_title(report, group), fontsize=9)
        rates = report["kind"] == "model panel"
        for name, cell in effort.items():
            colour, line = _STYLES.get(name, _OTHER)
            steps = [0, *cell["completed_at"], _ACTIONS]
            unit = 100 / cell["assigned"] if rates else 1.0
            heights = [unit * count for count in range(len(cell["completed_at"]) + 1)]
            done.step(
                steps, [*heights, heights[-1]], where="post", label=name, color=colour, ls=line
            )
        done.set(
            xlim=(0, _ACTIONS),
            ylim=(0, 102 if rates else None),
            xlabel="environment actions",
            ylabel="tasks done (%)" if rates else "tasks done (count)",
        )
        done.yaxis.set_major_locator(MultipleLocator(20) if rates else MaxNLocator(integer=True))
        done.legend(frameon=False, loc="lower right")
        for axes in rest:
            names = list(outputs)
            values = [outputs[name] or 0 for name in names]
            bars = axes.bar(names, values, color=[_STYLES.get(name, _OTHER)[0] for name in names])
            axes.bar_label(bars, [f"{value:,}" for value in values], fontsize=8)
            axes.set(ylabel="logged output tokens")
            axes.ticklabel_format(axis="y", style="plain")
            axes.margins(y=0.15)
        for axes in (done, *rest):
            axes.spines[["top", "right"]].set_visible(False)
        file = io.BytesIO()
        figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def _title(report: JsonObject, group: JsonObject) -> str:
    label = f"\n{report['label']}" if report["label"] else ""
    draw = f", draw {group['draw'] + 1}" if group["draw"] else ""
    return f"{report['panel']}: {group['row']}{draw}, {report['kind']}{label}"

"""Build eleven drafts of an agreement in which four clauses were argued over."""

from panels.suites.filesystem.legal_document.agreement import write_drafts
from panels.suites.filesystem.legal_document.solution_tracing.negotiation import negotiate
from panels.suites.support import Builder, build_main


def build(builder: Builder) -> None:
    """Write the drafts."""
    negotiation = negotiate(builder.rng)
    write_drafts(builder, negotiation.versions, negotiation.comments)


if __name__ == "__main__":
    build_main(build)

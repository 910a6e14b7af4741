"""What a block prints: a bounded text stream in memory; standard library only."""

import io

__all__ = ["Output"]


class Output(io.TextIOBase):
    """Stands for sys.stdout and sys.stderr; keeps the first `limit` bytes of UTF-8.

    A lone surrogate is kept as its backslash escape, so that what was printed is always UTF-8.
    """

    encoding = "utf-8"

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit
        self.start()

    def start(self) -> None:
        """Forget what was printed: a new block begins."""
        self._parts: list[str] = []
        self._size = 0
        self._dropped = 0

    @property
    def truncated(self) -> bool:
        """Say whether something was dropped."""
        return self._dropped > 0

    def text(self) -> str:
        """Return what was kept, and a last line that counts what was not."""
        kept = "".join(self._parts)
        self._parts = [kept]
        if not self._dropped:
            return kept
        newline = "" if kept.endswith("\n") or not kept else "\n"
        return f"{kept}{newline}[output truncated: {self._dropped} bytes dropped]\n"

    def writable(self) -> bool:
        """Say yes, as a text stream for print does."""
        return True

    def close(self) -> None:
        """Stay open: later blocks print here, whatever an earlier one closed."""

    def write(self, text: str, /) -> int:
        """Keep a text as far as the limit allows; TypeError for anything else than a str."""
        text = str.__str__(text)  # an exact str: a subclass may bring methods of its own
        if self._dropped and text.isascii():
            self._dropped += len(text)
            return len(text)
        data = text.encode("utf-8", "backslashreplace")
        room = 0 if self._dropped else self._limit - self._size
        if len(data) <= room:
            self._parts.append(data.decode())
            self._size += len(data)
        else:
            kept = data[:room].decode("utf-8", "ignore")
            self._parts.append(kept)
            self._size += len(kept.encode())
            self._dropped += len(data) - len(kept.encode())
        return len(text)

"""A table of the past, or one that is only looked at: nothing on it can be pressed."""

from games.web.parts.table_page import TablePage


class PastPage(TablePage):
    @property
    def is_your_turn(self) -> bool:
        return False

    @property
    def waits_for(self) -> str:
        return ""

    can_resign = can_abort = can_join = is_your_turn

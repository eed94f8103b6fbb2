"""What schemathesis cannot know of bodies that are lists of lines."""

import schemathesis

LINES = ("application/x-ndjson", "text/csv")


@schemathesis.serializer("application/x-ndjson")
def send_lines(ctx, value):
    """Sends them as they are."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", errors="replace")


@schemathesis.hook
def filter_case(context, case):
    """Drops what it takes for an invalid list, such as a number: any text is one, and its lines are judged later."""
    return case.media_type not in LINES or isinstance(case.body, (bytes, str))

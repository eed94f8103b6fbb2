"""Prints what each calendar file says, a line of JSON for each."""
import json
import sys

import icalendar

for path in sys.argv[1:]:
    with open(path, "rb") as file:
        calendar = icalendar.Calendar.from_ical(file.read())
    (event,) = calendar.walk("VEVENT")
    print(
        json.dumps(
            {
                "method": str(calendar["METHOD"]),
                "status": str(event["STATUS"]),
                "uid": str(event["UID"]),
                "sequence": int(event["SEQUENCE"]),
                "summary": str(event["SUMMARY"]),
                "location": str(event["LOCATION"]),
                "start": event["DTSTART"].dt.isoformat(),
                "end": event["DTEND"].dt.isoformat(),
            },
            ensure_ascii=False,
        )
    )

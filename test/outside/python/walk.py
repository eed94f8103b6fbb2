"""Walks through "Send your first message" of the README with the client that python-client.test.ts generates.

Prints what it reads as JSON.
"""

import json
import sys
import time

from carillon_client import AuthenticatedClient
from carillon_client.api.messages import (
    approve_message,
    create_message,
    dry_run_message,
    get_message,
    submit_message,
)
from carillon_client.models import CreateMessage, IndividualAudience, LocalisedText, MessageState, TextMessage

base_url, key, approver_session, category_id, uid = sys.argv[1:]
producer = AuthenticatedClient(base_url=base_url, token=key)
approver = AuthenticatedClient(
    base_url=base_url, auth_header_name="Cookie", prefix="", token=f"hub_session={approver_session}"
)

# Create a message to one person, by uid. The same Idempotency-Key returns the same message, so a retry is safe.
body = CreateMessage(
    category_id=category_id,
    audience=IndividualAudience(kind="individual", uids=[uid]),
    messages=[
        TextMessage(kind="text", text=LocalisedText(zh_tw="您好，這是第一則訊息。", en="Hello from Carillon."))
    ],
)
created, again = [create_message.sync(client=producer, body=body, idempotency_key="my-first") for _ in range(2)]

# Count the recipients, the people excluded and why, and the cost.
counted = dry_run_message.sync(created.id, client=producer)

# Submit it. A person approves this category.
submitted = submit_message.sync(created.id, client=producer)
approved = approve_message.sync(created.id, client=approver)

# Wait until it is sent, then read its state and counts.
for _ in range(120):
    message = get_message.sync(created.id, client=producer)
    if message.state in (MessageState.SENT, MessageState.FAILED):
        break
    time.sleep(1)

print(
    json.dumps(
        {
            "created": [created.created, again.created, again.id == created.id],
            "recipients": counted.recipients.total,
            "submitted": str(submitted.state),
            "approved": approved.approved,
            "state": str(message.state),
            "sent": message.stats.sent,
            "told": message.stats.people.told,
        }
    )
)

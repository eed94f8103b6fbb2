"""Uses the client that test/outside/python-client.test.ts generates from the description of a running service.

Prints what it reads as JSON.
"""

import json
import sys
import uuid

from carillon_client import AuthenticatedClient
from carillon_client.api.groups import change_members, create_group
from carillon_client.api.imports import create_import
from carillon_client.api.messages import (
    approve_message,
    create_message,
    dry_run_message,
    get_message,
    list_messages,
    reject_message,
    submit_message,
)
from carillon_client.models import (
    ButtonsMessage,
    ChangeMembersAction,
    ContentViolationError,
    CreateGroup,
    CreateGroupKind,
    CreateMessage,
    ErrorBody,
    ImageMessage,
    IndividualAudience,
    InvalidTransitionError,
    LegalBasis,
    LocalisedText,
    QueryAudience,
    RejectMessage,
    SubjectRole,
    TemplateButtonsMessageOutput,
    TextMessage,
    TextMessageOutput,
    UriAction,
    ValidationError,
)
from carillon_client.types import File

base_url, key, administrative_key, approver_session = sys.argv[1:]
producer = AuthenticatedClient(base_url=base_url, token=key)
administrative = AuthenticatedClient(base_url=base_url, token=administrative_key)
approver = AuthenticatedClient(
    base_url=base_url, auth_header_name="Cookie", prefix="", token=f"hub_session={approver_session}"
)

STUDENTS = QueryAudience(kind="query", roles=[SubjectRole.STUDENT])
CONTENT = [
    TextMessage(kind="text", text=LocalisedText(zh_tw="校園開放日", en="Open day")),
    ButtonsMessage(
        kind="buttons",
        text=LocalisedText(zh_tw="您會來嗎？"),
        actions=[UriAction(kind="uri", label=LocalisedText(zh_tw="地圖"), url="https://example.edu/map")],
    ),
]


def create(audience=STUDENTS, messages=CONTENT):
    body = CreateMessage(category_id="manual", audience=audience, messages=messages)
    return create_message.sync(client=producer, body=body, idempotency_key=str(uuid.uuid4()))


def explain(answer):
    """What went wrong, from the details of each code."""
    assert isinstance(answer, ErrorBody), answer
    error = answer.error
    if isinstance(error, ValidationError):
        return "; ".join(f"{issue.path}: {issue.message}" for issue in error.details.issues)
    if isinstance(error, ContentViolationError):
        return "; ".join(f"{violation.path}: {violation.code}" for violation in error.details.violations)
    if isinstance(error, InvalidTransitionError):
        return f"it is {error.details.state}"
    return f"{type(error).__name__}: {error.message}"


def text_of(message):
    if isinstance(message, TextMessageOutput):
        return message.text.zh_tw
    if isinstance(message, TemplateButtonsMessageOutput):
        return ", ".join(action.kind for action in message.actions)
    return message.kind


created = create()
counted = dry_run_message.sync(created.id, client=producer)
draft = get_message.sync(created.id, client=producer)
page = list_messages.sync(client=producer, limit=5)
image = ImageMessage(kind="image", url="http://example.edu/a.png", alt=LocalisedText(zh_tw="校園"))
early = approve_message.sync(created.id, client=approver)

submit_message.sync(created.id, client=producer)
approved = approve_message.sync(created.id, client=approver)
other = create()
submit_message.sync(other.id, client=producer)
rejected = reject_message.sync(other.id, client=approver, body=RejectMessage(reason="The day is missing."))

static = CreateGroup(name="Python", kind=CreateGroupKind.STATIC, legal_basis=LegalBasis.CONSENT)
group = create_group.sync(client=producer, body=static)
uids = File(payload=b"s1\ns2\n")
changed = change_members.sync(group.id, client=producer, body=uids, action=ChangeMembersAction.ADD)
people = File(payload=b'{"uid": "p1", "roles": ["student"]}\n')
imported = create_import.sync(client=administrative, body=people)

print(
    json.dumps(
        {
            "recipients": counted.recipients.total,
            "state": str(draft.state),
            "content": [text_of(message) for message in draft.content.messages],
            "listed": created.id in [item.id for item in page.items],
            "invalid": explain(create(audience=IndividualAudience(kind="individual", uids=[]))),
            "violation": explain(submit_message.sync(create(messages=[image]).id, client=producer)),
            "early": explain(early),
            "unknown": explain(get_message.sync(uuid.uuid4(), client=producer)),
            "approved": approved.to_dict(),
            "rejected": rejected.to_dict(),
            "added": changed.to_dict(),
            "imported": imported.state,
        }
    )
)

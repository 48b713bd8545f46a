# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

__all__ = [
    "DeletedNote",
    "Note",
    "NoteAuthor",
    "NotesCreateParameters",
    "NotesListParameters",
]


class DeletedNote(TypedDict):
    """What is left of a deleted object."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["note"]
    """The kind of object."""
    deleted: Literal[True]
    """The object is gone."""


class Note(TypedDict):
    """Something that was written down about an object, for your own people."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["note"]
    """The kind of object."""
    subject: str
    """The id of the object that it is about."""
    text: str
    """The note."""
    author: NoteAuthor
    created: int
    """When it was written. In UTC epoch seconds."""


class NoteAuthor(TypedDict):
    """Who has written it: a person or an API key."""

    user: NotRequired[str]
    """The id of the person; absent for an API key."""
    api_key: NotRequired[str]
    """The id of the API key; absent for a person."""
    name: str
    """The email of the person, or the name of the key, at that time."""


class NotesCreateParameters(TypedDict):
    object: str
    """The id of the object that it is about: a customer, payment, dispute or subscription."""
    text: str
    """The note, up to 5,000 characters. It must not be blank."""


class NotesListParameters(ListParameters):
    object: NotRequired[str]
    """Only those on this object: a customer, payment, dispute or subscription."""

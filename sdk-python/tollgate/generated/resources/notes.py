# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.notes import DeletedNote, Note, NotesCreateParameters, NotesListParameters


class NotesResource(Resource):
    """What your people write down about customers, payments, disputes and subscriptions, for each other."""

    def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[NotesCreateParameters],
    ) -> Note:
        """Write a note.

        Keeps a text on an object, for those who work in the account. Customers never see it, it makes no event, and
        it cannot be changed: delete it, and write another. It is deleted with the customer whom the object is about.

        `POST /v1/notes` · scope `notes:write`
        """
        return self._transport.send("POST", "/v1/notes", params, idempotency_key, options)

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[NotesListParameters],
    ) -> Listing[Note]:
        """List notes.

        Returns notes in pages, newest first.

        `GET /v1/notes` · scope `notes:read`
        """
        return self._transport.list("/v1/notes", params, options)

    def retrieve(self, id: str, *, options: Optional[RequestOptions] = None) -> Note:
        """Retrieve a note.

        Returns the note as it is now.

        `GET /v1/notes/{id}` · scope `notes:read`
        """
        return self._transport.send("GET", path("/v1/notes/{}", id), {}, None, options)

    def delete(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> DeletedNote:
        """Delete a note.

        The author can delete it, and so can an owner of the account.

        `DELETE /v1/notes/{id}` · scope `notes:write`
        """
        return self._transport.send("DELETE", path("/v1/notes/{}", id), {}, idempotency_key, options)

# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.processor_accounts import (
        DeletedProcessorAccount,
        ProcessorAccount,
        ProcessorAccountsCreateParameters,
        ProcessorAccountsListParameters,
        ProcessorAccountsUpdateParameters,
        ProcessorVerification,
    )


class ProcessorAccountsResource(Resource):
    """Your accounts at processors, with the credentials that the gateway uses there."""

    def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[ProcessorAccountsCreateParameters],
    ) -> ProcessorAccount:
        """Create a processor account.

        Stores the credentials sealed, and never shows them again. The processor is not asked: verify the account
        afterwards. There can be 50 in each mode. In live mode only the operator can do this, on the command line.

        `POST /v1/processor_accounts` · scope `processor_accounts:write`
        """
        return self._transport.send("POST", "/v1/processor_accounts", params, idempotency_key, options)

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[ProcessorAccountsListParameters],
    ) -> Listing[ProcessorAccount]:
        """List processor accounts.

        Returns processor accounts in pages, newest first, without their credentials.

        `GET /v1/processor_accounts` · scope `processor_accounts:read`
        """
        return self._transport.list("/v1/processor_accounts", params, options)

    def retrieve(self, id: str, *, options: Optional[RequestOptions] = None) -> ProcessorAccount:
        """Retrieve a processor account.

        Returns the account as it is now, without its credentials.

        `GET /v1/processor_accounts/{id}` · scope `processor_accounts:read`
        """
        return self._transport.send("GET", path("/v1/processor_accounts/{}", id), {}, None, options)

    def update(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[ProcessorAccountsUpdateParameters],
    ) -> ProcessorAccount:
        """Update a processor account.

        Changes only what it names; credentials and settings are merged member by member. New credentials apply on
        every instance within a second, and requests in flight finish with the old ones. Once the processor has said
        whose account it is, new credentials are checked there first: those of another account are refused. In live
        mode only the operator can do this, on the command line.

        `POST /v1/processor_accounts/{id}` · scope `processor_accounts:write`
        """
        return self._transport.send("POST", path("/v1/processor_accounts/{}", id), params, idempotency_key, options)

    def delete(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> DeletedProcessorAccount:
        """Delete a processor account that was never used.

        Deletes the account together with its credentials, and the webhook endpoint that verifying it has registered
        at the processor, if the processor answers. An account with a payment, a payment method or a routing rule
        cannot be deleted: disable it. In live mode only the operator can do this, on the command line.

        `DELETE /v1/processor_accounts/{id}` · scope `processor_accounts:write`
        """
        return self._transport.send("DELETE", path("/v1/processor_accounts/{}", id), {}, idempotency_key, options)

    def verify(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> ProcessorVerification:
        """Ask the processor whether the credentials work.

        Asks the processor, and waits for 15 seconds at most. The answer is 200 in any case: `ok` says whether the
        credentials work. Where this gateway has a public address and no webhook secret was entered, the processor is
        told where to send its notices; otherwise `message` says what to enter where. In live mode only the operator
        can do this, on the command line.

        `POST /v1/processor_accounts/{id}/verify` · scope `processor_accounts:write`
        """
        return self._transport.send("POST", path("/v1/processor_accounts/{}/verify", id), {}, idempotency_key, options)

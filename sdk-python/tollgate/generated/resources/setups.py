# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.setups import (
        Setup,
        SetupsCancelParameters,
        SetupsCreateParameters,
        SetupsListParameters,
        SetupsRetrieveParameters,
    )


class SetupsResource(Resource):
    """Payment methods that are verified without a charge, and may then be charged without the cardholder."""

    def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[SetupsCreateParameters],
    ) -> Setup:
        """Set up a payment method without a charge.

        The card is verified, and its cardholder agrees to later charges without being there. Nothing is charged. A
        decline is answered with 402, and the failed setup is stored. An answer of 200 does not mean that the method
        is set up: look at `status`, which can also be `requires_action` or `processing`.

        `POST /v1/setups` · scope `payment_methods:write`
        """
        return self._transport.send("POST", "/v1/setups", params, idempotency_key, options)

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[SetupsListParameters],
    ) -> Listing[Setup]:
        """List setups.

        Returns setups in pages, newest first. With `Accept: text/csv` the answer is one file with all setups that the
        filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its columns.

        `GET /v1/setups` · scope `payment_methods:read`
        """
        return self._transport.list("/v1/setups", params, options)

    def list_csv(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[SetupsListParameters],
    ) -> Iterator[bytes]:
        """List setups.

        As `text/csv`, all of them: a text of any length, in chunks.
        Returns setups in pages, newest first. With `Accept: text/csv` the answer is one file with all setups that the
        filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its columns.

        `GET /v1/setups` · scope `payment_methods:read`
        """
        return self._transport.text("/v1/setups", params, options, "text/csv")

    def retrieve(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[SetupsRetrieveParameters],
    ) -> Setup:
        """Retrieve a setup.

        Returns the setup as it is now. To follow a setup that is not final, wait for its events, or retrieve it from
        time to time.

        `GET /v1/setups/{id}` · scope `payment_methods:read`
        """
        return self._transport.send("GET", path("/v1/setups/{}", id), params, None, options)

    def cancel(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[SetupsCancelParameters],
    ) -> Setup:
        """Cancel a setup.

        Ends a setup that waits for its cardholder, who can no longer authenticate.

        `POST /v1/setups/{id}/cancel` · scope `payment_methods:write`
        """
        return self._transport.send("POST", path("/v1/setups/{}/cancel", id), params, idempotency_key, options)

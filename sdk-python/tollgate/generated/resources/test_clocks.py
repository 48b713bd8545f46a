# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.test_clocks import (
        DeletedTestClock,
        TestClock,
        TestClocksAdvanceParameters,
        TestClocksCreateParameters,
        TestClocksListParameters,
    )


class TestClocksResource(Resource):
    """Clocks of test mode that let years pass in a moment for the customers that live by them."""

    def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[TestClocksCreateParameters],
    ) -> TestClock:
        """Create a test clock.

        The clock stands still until it is advanced. Customers that are created with it live in its time. Test clocks
        exist in test mode only.

        `POST /v1/test_clocks` · scope `test_clocks:write`
        """
        return self._transport.send("POST", "/v1/test_clocks", params, idempotency_key, options)

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[TestClocksListParameters],
    ) -> Listing[TestClock]:
        """List test clocks.

        Returns test clocks in pages, newest first.

        `GET /v1/test_clocks` · scope `test_clocks:read`
        """
        return self._transport.list("/v1/test_clocks", params, options)

    def retrieve(self, id: str, *, options: Optional[RequestOptions] = None) -> TestClock:
        """Retrieve a test clock.

        Returns the test clock as it is now.

        `GET /v1/test_clocks/{id}` · scope `test_clocks:read`
        """
        return self._transport.send("GET", path("/v1/test_clocks/{}", id), {}, None, options)

    def delete(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> DeletedTestClock:
        """Delete a test clock with its customers.

        Deletes its customers too, with their subscriptions, invoices and invoice items. Payments stay. The clock is
        deleted immediately, and its customers a moment later.

        `DELETE /v1/test_clocks/{id}` · scope `test_clocks:write`
        """
        return self._transport.send("DELETE", path("/v1/test_clocks/{}", id), {}, idempotency_key, options)

    def advance(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[TestClocksAdvanceParameters],
    ) -> TestClock:
        """Advance a test clock.

        Answers immediately, with the status `advancing`. Everything that is due up to then happens, in the order of
        its time. At the end the clock is `ready`, and the event `test_clock.ready` is created. Until then its
        customers, and what is theirs, cannot be changed.

        `POST /v1/test_clocks/{id}/advance` · scope `test_clocks:write`
        """
        return self._transport.send("POST", path("/v1/test_clocks/{}/advance", id), params, idempotency_key, options)

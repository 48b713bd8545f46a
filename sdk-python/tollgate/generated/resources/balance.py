# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.balance import (
        Balance,
        BalanceBreakdown,
        BalanceListTransactionsParameters,
        BalanceRetrieveTransactionParameters,
        BalanceTransaction,
    )


class BalanceResource(Resource):
    """How much money there is in each currency, and the movements that add up to it."""

    def retrieve(self, *, options: Optional[RequestOptions] = None) -> Balance:
        """Retrieve the balance.

        The balance is exact at the time of the request. Each list has one entry for each currency in which money has
        ever moved. Sums can exceed 2^53, and are written with all their digits.

        `GET /v1/balance` · scope `balance:read`
        """
        return self._transport.send("GET", "/v1/balance", {}, None, options)

    def retrieve_breakdown(self, *, options: Optional[RequestOptions] = None) -> BalanceBreakdown:
        """Retrieve what the balance is made of.

        Says why the balance is what it is: what was available 30 days ago, what has moved it since then, and when
        what is pending becomes available. Refunds and disputes are deducted immediately, and payments are added days
        later: what is available can therefore be below 0, and `covered_on` says until when.

        `GET /v1/balance/breakdown` · scope `balance:read`
        """
        return self._transport.send("GET", "/v1/balance/breakdown", {}, None, options)

    def list_transactions(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[BalanceListTransactionsParameters],
    ) -> Listing[BalanceTransaction]:
        """List balance transactions.

        Returns every movement of the balance, newest first. With `Accept: text/csv` the answer is one file with all
        transactions that the filters select; `limit`, `starting_after` and `ending_before` are refused then.
        `columns` chooses its columns.

        `GET /v1/balance/transactions` · scope `balance:read`
        """
        return self._transport.list("/v1/balance/transactions", params, options)

    def list_transactions_csv(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[BalanceListTransactionsParameters],
    ) -> Iterator[bytes]:
        """List balance transactions.

        As `text/csv`, all of them: a text of any length, in chunks.
        Returns every movement of the balance, newest first. With `Accept: text/csv` the answer is one file with all
        transactions that the filters select; `limit`, `starting_after` and `ending_before` are refused then.
        `columns` chooses its columns.

        `GET /v1/balance/transactions` · scope `balance:read`
        """
        return self._transport.text("/v1/balance/transactions", params, options, "text/csv")

    def retrieve_transaction(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[BalanceRetrieveTransactionParameters],
    ) -> BalanceTransaction:
        """Retrieve a balance transaction.

        Returns one movement of the balance. Only its `status` ever changes, on the day of `available_on`.

        `GET /v1/balance/transactions/{id}` · scope `balance:read`
        """
        return self._transport.send("GET", path("/v1/balance/transactions/{}", id), params, None, options)

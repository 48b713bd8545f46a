# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from .balance import *  # noqa: F403
from .changes import *  # noqa: F403
from .checkout_sessions import *  # noqa: F403
from .coupons import *  # noqa: F403
from .customers import *  # noqa: F403
from .disputes import *  # noqa: F403
from .events import *  # noqa: F403
from .invoice_items import *  # noqa: F403
from .invoices import *  # noqa: F403
from .notes import *  # noqa: F403
from .payment_methods import *  # noqa: F403
from .payments import *  # noqa: F403
from .prices import *  # noqa: F403
from .processor_accounts import *  # noqa: F403
from .reconciliation_differences import *  # noqa: F403
from .reconciliations import *  # noqa: F403
from .refunds import *  # noqa: F403
from .request_logs import *  # noqa: F403
from .routing import *  # noqa: F403
from .search import *  # noqa: F403
from .setups import *  # noqa: F403
from .shared import *  # noqa: F403
from .subscriptions import *  # noqa: F403
from .test_clocks import *  # noqa: F403
from .timeline import *  # noqa: F403
from .webhook_endpoints import *  # noqa: F403

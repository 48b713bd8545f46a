// Written by `npm run generate` from the declarations of the server. Change those, not this file.

/** The operations that people can call: method, path, and each parameter with its type. Required ones have a mark. */
export const apiOperations = {
  'account.retrieve': 'GET /v1/account',
  'account.update':
    'POST /v1/account name:string test_settlement:delayed|immediate dunning_days:array dunning_end:canceled|unpaid|past_due totp_required:boolean card_testing:object mail:object',
  'api_keys.create':
    'POST /v1/api_keys name:string! kind:secret|restricted! scopes:array expires_at:integer allowed_ips:array signature_required:boolean',
  'api_keys.list': 'GET /v1/api_keys limit:integer starting_after:string ending_before:string created:object',
  'api_keys.retrieve': 'GET /v1/api_keys/:id',
  'api_keys.revoke': 'POST /v1/api_keys/:id/revoke',
  'api_keys.roll': 'POST /v1/api_keys/:id/roll overlap_hours:number scopes:array',
  'api_keys.update': 'POST /v1/api_keys/:id name:string scopes:array',
  'audit_log.list':
    'GET /v1/audit_log limit:integer starting_after:string ending_before:string created:object user:string action:string subject:string refused:boolean',
  'balance.list_transactions':
    'GET /v1/balance/transactions limit:integer starting_after:string ending_before:string created:object type:payment|fee|payment_correction|fee_correction|refund|refund_failure|refund_correction|dispute|dispute_reversal source:string payment:string expand:array columns:string|array',
  'balance.retrieve': 'GET /v1/balance',
  'balance.retrieve_breakdown': 'GET /v1/balance/breakdown',
  'balance.retrieve_transaction': 'GET /v1/balance/transactions/:id expand:array',
  'branding.retrieve': 'GET /v1/branding',
  'branding.update':
    'POST /v1/branding display_name:string logo:string color:string support_email:string support_address:string statement_descriptor:string terms_url:string privacy_url:string legal_name:string legal_address:string tax_id:string document_footer:string',
  'checkout_sessions.create':
    'POST /v1/checkout_sessions mode:payment|setup|subscription subscription_data:object amount:integer currency:string description:string line_items:array save_payment_method:none|offer|require capture_method:automatic|manual allow_coupons:boolean collect:object success_url:string cancel_url:string locale:auto|bg|cs|da|de|el|en|en-GB|es|et|fi|fr|hr|hu|it|ja|lt|lv|nb|nl|pl|pt|pt-BR|ro|sk|sl|sv|zh|ar|he metadata:object customer:string customer_email:string expires_in:integer reference:string expand:array',
  'checkout_sessions.expire': 'POST /v1/checkout_sessions/:id/expire expand:array',
  'checkout_sessions.list':
    'GET /v1/checkout_sessions limit:integer starting_after:string ending_before:string created:object ids:string|array status:string|array customer:string payment_link:string reference:string currency:string expand:array columns:string|array',
  'checkout_sessions.redact': 'POST /v1/checkout_sessions/:id/redact expand:array',
  'checkout_sessions.retrieve': 'GET /v1/checkout_sessions/:id expand:array',
  'checkout_sessions.review': 'POST /v1/checkout_sessions/:id/review expand:array',
  'checkout_sessions.update': 'POST /v1/checkout_sessions/:id metadata:object expand:array',
  'coupons.create':
    'POST /v1/coupons percent_off:number amount_off:integer currency:string duration:once|repeating|forever! duration_in_months:integer name:string code:string metadata:object',
  'coupons.delete': 'DELETE /v1/coupons/:id',
  'coupons.list':
    'GET /v1/coupons limit:integer starting_after:string ending_before:string created:object ids:string|array code:string columns:string|array',
  'coupons.retrieve': 'GET /v1/coupons/:id',
  'customers.create':
    'POST /v1/customers email:string name:string phone:string address:object tax_id:string locale:bg|cs|da|de|el|en|en-GB|es|et|fi|fr|hr|hu|it|ja|lt|lv|nb|nl|pl|pt|pt-BR|ro|sk|sl|sv|zh|ar|he external_id:string metadata:object test_clock:string expand:array',
  'customers.delete': 'DELETE /v1/customers/:id',
  'customers.list':
    'GET /v1/customers limit:integer starting_after:string ending_before:string created:object ids:string|array test_clock:string external_id:string expand:array columns:string|array',
  'customers.list_credit_transactions':
    'GET /v1/customers/:id/credit_transactions limit:integer starting_after:string ending_before:string created:object expand:array',
  'customers.list_payment_methods':
    'GET /v1/customers/:id/payment_methods limit:integer starting_after:string ending_before:string created:object expand:array',
  'customers.retrieve': 'GET /v1/customers/:id expand:array',
  'customers.retrieve_summary': 'GET /v1/customers/:id/summary',
  'customers.update':
    'POST /v1/customers/:id email:string name:string phone:string address:object tax_id:string locale:bg|cs|da|de|el|en|en-GB|es|et|fi|fr|hr|hu|it|ja|lt|lv|nb|nl|pl|pt|pt-BR|ro|sk|sl|sv|zh|ar|he external_id:string metadata:object default_payment_method:string expand:array',
  'disputes.close': 'POST /v1/disputes/:id/close expand:array',
  'disputes.list':
    'GET /v1/disputes limit:integer starting_after:string ending_before:string created:object ids:string|array payment:string status:string|array currency:string amount:object amount_decimal:object expand:array columns:string|array',
  'disputes.retrieve': 'GET /v1/disputes/:id expand:array',
  'disputes.update': 'POST /v1/disputes/:id evidence:object submit:boolean metadata:object expand:array',
  'events.list':
    'GET /v1/events limit:integer starting_after:string ending_before:string created:object ids:string|array type:test_clock.ready|customer.created|customer.updated|customer.deleted|customer.credit_balance_updated|payment_method.attached|payment_method.detached|payment_method.updated|price.created|price.updated|coupon.created|coupon.deleted|invoice_item.created|invoice_item.deleted|setup.succeeded|setup.failed|setup.requires_action|setup.canceled|payment.succeeded|payment.failed|payment.requires_action|payment.requires_capture|payment.processing|payment.canceled|payment.updated|payment.refunded|refund.created|refund.updated|refund.failed|dispute.created|dispute.updated|dispute.closed|invoice.created|invoice.updated|invoice.finalized|invoice.paid|invoice.payment_failed|invoice.payment_action_required|invoice.voided|invoice.marked_uncollectible|subscription.created|subscription.updated|subscription.trial_will_end|subscription.paused|subscription.resumed|subscription.canceled|checkout_session.created|checkout_session.completed|checkout_session.expired|checkout_session.payment_failed|checkout_session.processing|payment_link.created|payment_link.updated|webhook_endpoint.disabled|webhook_endpoint.test|test_clock.*|customer.*|payment_method.*|price.*|coupon.*|invoice_item.*|setup.*|payment.*|refund.*|dispute.*|invoice.*|subscription.*|checkout_session.*|payment_link.*|webhook_endpoint.* object_id:string',
  'events.list_deliveries': 'GET /v1/events/:id/deliveries',
  'events.resend': 'POST /v1/events/:id/resend webhook_endpoint:string',
  'events.retrieve': 'GET /v1/events/:id',
  'inbox.create': 'POST /v1/inbox enabled_events:array answer:200|500|410|timeout',
  'inbox.delete': 'DELETE /v1/inbox/:id',
  'inbox.list':
    'GET /v1/inbox limit:integer starting_after:string ending_before:string created:object ids:string|array',
  'inbox.list_requests':
    'GET /v1/inbox/:id/requests limit:integer starting_after:string ending_before:string created:object',
  'inbox.retrieve': 'GET /v1/inbox/:id',
  'inbox.update': 'POST /v1/inbox/:id answer:200|500|410|timeout',
  'inbox_requests.retrieve': 'GET /v1/inbox_requests/:id',
  'invitations.create': 'POST /v1/invitations email:string! role:owner|developer|finance|support|viewer! link:boolean',
  'invitations.list': 'GET /v1/invitations limit:integer starting_after:string ending_before:string created:object',
  'invitations.revoke': 'POST /v1/invitations/:id/revoke',
  'invoice_items.create':
    'POST /v1/invoice_items customer:string! amount:integer! currency:string! description:string! subscription:string expand:array',
  'invoice_items.delete': 'DELETE /v1/invoice_items/:id',
  'invoice_items.list':
    'GET /v1/invoice_items limit:integer starting_after:string ending_before:string created:object ids:string|array customer:string expand:array',
  'invoice_items.retrieve': 'GET /v1/invoice_items/:id expand:array',
  'invoices.create': 'POST /v1/invoices customer:string! currency:string items:array expand:array',
  'invoices.finalize': 'POST /v1/invoices/:id/finalize expand:array',
  'invoices.list':
    'GET /v1/invoices limit:integer starting_after:string ending_before:string created:object ids:string|array customer:string subscription:string status:string|array expand:array columns:string|array',
  'invoices.mark_uncollectible': 'POST /v1/invoices/:id/mark_uncollectible expand:array',
  'invoices.pay': 'POST /v1/invoices/:id/pay payment_method:string return_url:string expand:array',
  'invoices.pdf': 'GET /v1/invoices/:id/pdf',
  'invoices.preview':
    'POST /v1/invoices/preview customer:string subscription:string items:array proration:create|invoice_now|none proration_date:integer coupon:string expand:array',
  'invoices.retrieve': 'GET /v1/invoices/:id expand:array',
  'invoices.update': 'POST /v1/invoices/:id metadata:object expand:array',
  'invoices.void': 'POST /v1/invoices/:id/void expand:array',
  'mails.content': 'GET /v1/mails/:id/content',
  'mails.list':
    'GET /v1/mails limit:integer starting_after:string ending_before:string created:object ids:string|array customer:string invoice:string payment:string kind:string|array status:string|array expand:array',
  'mails.resend': 'POST /v1/mails/:id/resend expand:array',
  'mails.retrieve': 'GET /v1/mails/:id expand:array',
  'mails.sample':
    'GET /v1/mails/sample kind:card_expiring|receipt|refund|invoice|payment_failed|action_required|trial_ending|subscription_canceled|key_created|new_sign_in|password_reset|email_code|invitation|needs_attention! locale:bg|cs|da|de|el|en|en-GB|es|et|fi|fr|hr|hu|it|ja|lt|lv|nb|nl|pl|pt|pt-BR|ro|sk|sl|sv|zh|ar|he',
  'mails.setup': 'GET /v1/mails/setup',
  'needs_attention.list':
    'GET /v1/needs_attention kind:card_at_processor|unknown_outcome|dispute|dispute_to_review|invoice|void_invoice|late_checkout_session|card_testing|notice|reconciliation_difference|webhook_endpoint',
  'needs_attention.retrieve_mail': 'GET /v1/needs_attention/mail',
  'needs_attention.update_mail': 'POST /v1/needs_attention/mail frequency:off|daily|at_once!',
  'notes.create': 'POST /v1/notes object:string! text:string!',
  'notes.delete': 'DELETE /v1/notes/:id',
  'notes.list': 'GET /v1/notes limit:integer starting_after:string ending_before:string created:object object:string',
  'notes.retrieve': 'GET /v1/notes/:id',
  'payment_links.create':
    'POST /v1/payment_links mode:payment|setup|subscription subscription_data:object amount:integer currency:string description:string line_items:array save_payment_method:none|offer|require capture_method:automatic|manual allow_coupons:boolean collect:object success_url:string cancel_url:string locale:auto|bg|cs|da|de|el|en|en-GB|es|et|fi|fr|hr|hu|it|ja|lt|lv|nb|nl|pl|pt|pt-BR|ro|sk|sl|sv|zh|ar|he metadata:object adjustable_quantity:object amount_choice:object limit:integer inactive_message:string',
  'payment_links.list':
    'GET /v1/payment_links limit:integer starting_after:string ending_before:string created:object ids:string|array active:boolean columns:string|array',
  'payment_links.retrieve': 'GET /v1/payment_links/:id',
  'payment_links.update':
    'POST /v1/payment_links/:id active:boolean subscription_data:object amount:integer currency:string description:string line_items:array save_payment_method:none|offer|require capture_method:automatic|manual allow_coupons:boolean collect:object success_url:string cancel_url:string locale:auto|bg|cs|da|de|el|en|en-GB|es|et|fi|fr|hr|hu|it|ja|lt|lv|nb|nl|pl|pt|pt-BR|ro|sk|sl|sv|zh|ar|he metadata:object adjustable_quantity:object amount_choice:object limit:integer inactive_message:string',
  'payment_methods.attach': 'POST /v1/payment_methods/:id/attach customer:string! expand:array',
  'payment_methods.create':
    'POST /v1/payment_methods type:card! card:object processor_token:object billing_details:object customer:string metadata:object expand:array',
  'payment_methods.detach': 'POST /v1/payment_methods/:id/detach expand:array',
  'payment_methods.list':
    'GET /v1/payment_methods limit:integer starting_after:string ending_before:string created:object ids:string|array customer:string expand:array columns:string|array',
  'payment_methods.retrieve': 'GET /v1/payment_methods/:id expand:array',
  'payment_methods.update':
    'POST /v1/payment_methods/:id card:object billing_details:object metadata:object expand:array',
  'payments.cancel':
    'POST /v1/payments/:id/cancel reason:abandoned|duplicate|fraudulent|requested_by_customer expand:array',
  'payments.capture': 'POST /v1/payments/:id/capture amount:integer expand:array',
  'payments.create':
    'POST /v1/payments amount:integer! currency:string! payment_method:string! customer:string description:string metadata:object capture_method:automatic|manual return_url:string off_session:boolean expand:array',
  'payments.list':
    'GET /v1/payments limit:integer starting_after:string ending_before:string created:object ids:string|array customer:string|array status:string|array invoice:string checkout_session:string currency:string amount:object amount_decimal:object card:string brand:string|array country:string decline_code:string processor:string expand:array columns:string|array',
  'payments.list_attempts': 'GET /v1/payments/:id/attempts limit:integer starting_after:string',
  'payments.receipt': 'GET /v1/payments/:id/receipt.pdf',
  'payments.retrieve': 'GET /v1/payments/:id expand:array',
  'payments.update': 'POST /v1/payments/:id description:string metadata:object expand:array',
  'portal_codes.shown': 'GET /v1/portal_codes',
  'portal_sessions.create':
    'POST /v1/portal_sessions customer:string! return_url:string flow:payment_method_update|subscription_cancel|subscription_update|invoice_pay subscription:string invoice:string expand:array',
  'portal_settings.retrieve': 'GET /v1/portal_settings',
  'portal_settings.update':
    'POST /v1/portal_settings add_method:boolean remove_method:boolean default_method:boolean cancel:off|period_end|now pause:boolean resume:boolean change_price:array change_quantity:boolean edit_details:boolean',
  'prices.create':
    'POST /v1/prices currency:string! unit_amount:integer! recurring:object product_name:string! external_id:string metadata:object',
  'prices.list':
    'GET /v1/prices limit:integer starting_after:string ending_before:string created:object ids:string|array active:boolean external_id:string columns:string|array',
  'prices.retrieve': 'GET /v1/prices/:id',
  'prices.update': 'POST /v1/prices/:id active:boolean product_name:string external_id:string metadata:object',
  'processor_accounts.connectors': 'GET /v1/connectors',
  'processor_accounts.create':
    'POST /v1/processor_accounts connector:string! name:string! credentials:object settings:object enabled:boolean',
  'processor_accounts.delete': 'DELETE /v1/processor_accounts/:id',
  'processor_accounts.health': 'GET /v1/processor_health',
  'processor_accounts.list':
    'GET /v1/processor_accounts limit:integer starting_after:string ending_before:string created:object',
  'processor_accounts.retrieve': 'GET /v1/processor_accounts/:id',
  'processor_accounts.update':
    'POST /v1/processor_accounts/:id name:string credentials:object settings:object enabled:boolean',
  'processor_accounts.verify': 'POST /v1/processor_accounts/:id/verify',
  'reconciliation_differences.accept': 'POST /v1/reconciliation_differences/:id/accept note:string! expand:array',
  'reconciliation_differences.follow_up': 'POST /v1/reconciliation_differences/:id/follow_up note:string expand:array',
  'reconciliation_differences.list':
    'GET /v1/reconciliation_differences limit:integer starting_after:string ending_before:string created:object ids:string|array reconciliation:string payment:string date:string status:open|following_up|accepted expand:array columns:string|array',
  'reconciliation_differences.retrieve': 'GET /v1/reconciliation_differences/:id expand:array',
  'reconciliations.list':
    'GET /v1/reconciliations limit:integer starting_after:string ending_before:string created:object ids:string|array date:string connector:string processor_account:string status:matched|open|accepted columns:string|array',
  'reconciliations.retrieve': 'GET /v1/reconciliations/:id',
  'refunds.create':
    'POST /v1/refunds payment:string! amount:integer reason:duplicate|fraudulent|requested_by_customer metadata:object expand:array',
  'refunds.list':
    'GET /v1/refunds limit:integer starting_after:string ending_before:string created:object ids:string|array payment:string status:string|array currency:string amount:object amount_decimal:object expand:array columns:string|array',
  'refunds.retrieve': 'GET /v1/refunds/:id expand:array',
  'refunds.update': 'POST /v1/refunds/:id metadata:object expand:array',
  'request_logs.list':
    'GET /v1/request_logs limit:integer starting_after:string ending_before:string created:object status:string method:string path:string operation:string api_key:string user:string sent_by:key|person dashboard_reads:boolean object_id:string error_code:string',
  'request_logs.list_errors': 'GET /v1/request_logs/errors created:object',
  'request_logs.retrieve': 'GET /v1/request_logs/:id',
  'routing.preview':
    'GET /v1/routing/preview amount:integer! currency:string! brand:visa|mastercard|amex|discover|diners|jcb|unionpay|unknown! country:string',
  'routing.retrieve': 'GET /v1/routing',
  'routing.update': 'POST /v1/routing rules:array!',
  'saved_views.create': 'POST /v1/saved_views name:string! page:string! query:string',
  'saved_views.delete': 'DELETE /v1/saved_views/:id',
  'saved_views.list':
    'GET /v1/saved_views limit:integer starting_after:string ending_before:string created:object page:string',
  'saved_views.update': 'POST /v1/saved_views/:id name:string query:string',
  'search.query':
    'GET /v1/search q:string! kind:balance_transaction|checkout_session|coupon|customer|dispute|event|invoice|invoice_item|payment|payment_link|payment_method|price|processor_account|refund|request_log|setup|subscription|test_clock|webhook_endpoint limit:integer',
  'setups.cancel': 'POST /v1/setups/:id/cancel expand:array',
  'setups.create':
    'POST /v1/setups payment_method:string! customer:string return_url:string metadata:object expand:array',
  'setups.list':
    'GET /v1/setups limit:integer starting_after:string ending_before:string created:object ids:string|array customer:string payment_method:string checkout_session:string status:string|array expand:array columns:string|array',
  'setups.retrieve': 'GET /v1/setups/:id expand:array',
  'statistics.breakdown':
    'GET /v1/statistics/breakdown from:integer! to:integer! by:decline_code|processor|brand|country! currency:string',
  'statistics.checkout_sessions':
    'GET /v1/statistics/checkout_sessions from:integer! to:integer! currency:string payment_link:string',
  'statistics.retrieve': 'GET /v1/statistics from:integer! to:integer! bucket:hour|day! currency:string',
  'statistics.subscriptions': 'GET /v1/statistics/subscriptions from:integer! to:integer! currency:string',
  'subscriptions.cancel':
    'POST /v1/subscriptions/:id/cancel at_period_end:boolean reason:too_expensive|missing_features|switched_service|unused|low_quality|other proration:create|none expand:array',
  'subscriptions.create':
    'POST /v1/subscriptions customer:string! items:array! default_payment_method:string trial_days:integer trial_end:integer billing_cycle_anchor:integer proration:create|invoice_now|none coupon:string cancel_at_period_end:boolean return_url:string off_session:boolean payment_behavior:allow_incomplete|error_if_incomplete external_id:string metadata:object expand:array',
  'subscriptions.list':
    'GET /v1/subscriptions limit:integer starting_after:string ending_before:string created:object ids:string|array customer:string status:string|array price:string coupon:string test_clock:string external_id:string expand:array columns:string|array',
  'subscriptions.pause': 'POST /v1/subscriptions/:id/pause expand:array',
  'subscriptions.resume': 'POST /v1/subscriptions/:id/resume expand:array',
  'subscriptions.retrieve': 'GET /v1/subscriptions/:id expand:array',
  'subscriptions.update':
    'POST /v1/subscriptions/:id items:array proration:create|invoice_now|none proration_date:integer default_payment_method:string coupon:string trial_end:integer|string cancel_at_period_end:boolean payment_behavior:allow_incomplete|error_if_incomplete external_id:string metadata:object expand:array',
  'test_clocks.advance': 'POST /v1/test_clocks/:id/advance frozen_time:integer!',
  'test_clocks.create': 'POST /v1/test_clocks frozen_time:integer! name:string',
  'test_clocks.delete': 'DELETE /v1/test_clocks/:id',
  'test_clocks.list':
    'GET /v1/test_clocks limit:integer starting_after:string ending_before:string created:object ids:string|array',
  'test_clocks.retrieve': 'GET /v1/test_clocks/:id',
  'timeline.list': 'GET /v1/timeline/:id limit:integer starting_after:string',
  'users.list': 'GET /v1/users limit:integer starting_after:string ending_before:string created:object',
  'users.remove': 'DELETE /v1/users/:id',
  'users.retrieve': 'GET /v1/users/:id',
  'users.update': 'POST /v1/users/:id role:owner|developer|finance|support|viewer!',
  'webhook_endpoints.create':
    'POST /v1/webhook_endpoints url:string! enabled_events:array! description:string metadata:object',
  'webhook_endpoints.delete': 'DELETE /v1/webhook_endpoints/:id',
  'webhook_endpoints.list':
    'GET /v1/webhook_endpoints limit:integer starting_after:string ending_before:string created:object ids:string|array',
  'webhook_endpoints.list_all_deliveries':
    'GET /v1/webhook_endpoints/deliveries limit:integer starting_after:string ending_before:string created:object object_id:string',
  'webhook_endpoints.list_deliveries':
    'GET /v1/webhook_endpoints/:id/deliveries limit:integer starting_after:string ending_before:string created:object status:pending|delivered|exhausted|canceled',
  'webhook_endpoints.recover': 'POST /v1/webhook_endpoints/:id/recover since:integer!',
  'webhook_endpoints.retrieve': 'GET /v1/webhook_endpoints/:id',
  'webhook_endpoints.rotate_secret': 'POST /v1/webhook_endpoints/:id/rotate_secret overlap_hours:integer',
  'webhook_endpoints.test': 'POST /v1/webhook_endpoints/:id/test',
  'webhook_endpoints.update':
    'POST /v1/webhook_endpoints/:id url:string enabled_events:array status:enabled|disabled description:string metadata:object',
} as const;

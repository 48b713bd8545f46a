/** Why something stays at Stripe, or needs a person. The words follow the id of the object in the report. */
export const reasons = {
  // Prices and coupons
  tiered: 'it has tiers, and prices here cost the same for each unit',
  metered: 'it bills what was used, which Tollgate does not count',
  computed: 'it sells packages of several, or lets the customer choose the amount',
  fraction: 'its amount has a fraction of the smallest unit of the currency',
  percentage: 'its percentage has more than two decimals',
  expired: 'it can no longer be redeemed',
  partial: 'it applies to some products only, and coupons here discount the whole subscription',
  // Payment methods
  other_method: 'it is no card',
  // Subscriptions
  incomplete: 'its first payment has not succeeded',
  past_due: 'an invoice of it is open at Stripe',
  unpaid: 'an invoice of it is open at Stripe',
  paused: 'it is paused',
  canceling: 'it is going to end at Stripe',
  ends_soon: 'its period ends within 24 hours, which is too near to the next charge; run it again after that',
  just_began: 'its period began within the last three hours: Stripe may still be charging for it; run it again later',
  scheduled: 'a schedule of Stripe changes it later',
  several_currencies: 'its prices have other currencies than the subscription',
  several_periods: 'its items have different periods',
  too_many_items: 'it has more than 20 items',
  taxes: 'Stripe adds taxes to it, and Tollgate does not',
  send_invoice: 'it is paid by invoices that are sent, and not charged to a card',
  no_card: 'it has no card that could be charged here',
  discount: 'its discount is not one coupon that lasts forever: how much of it is left is known to Stripe alone',
  customer_balance: 'its customer has a balance at Stripe, which the next invoice there would use',
  platform: 'a part of what it takes belongs to another account (Connect)',
  pending: 'it has a change, a threshold or an interval that waits at Stripe',
  anchor: 'its first period begins later than its trial ends',
  no_customer: 'its customer was not imported',
  marked_by_another: 'another processor account has taken it over',
  canceled_here: 'it was canceled here, after it was taken over',
  billed_here: 'it has been billed here',
  too_late: 'its period ends within an hour: one of both sides may be billing it already',
  // Anything
  gone: 'Stripe no longer has it',
  refused: 'the gateway refuses it',
  // For a person
  lapsed: 'it ended at Stripe, and nothing here goes on with it: nobody bills it. Create it by hand',
  half_way: 'it is marked to end at Stripe and cannot be created here: nobody will bill it. --undo lifts the mark',
  undo_unfinished: 'its take-over was being undone: run --undo again',
  refused_there: 'Stripe refuses a step of it. Look at both sides, then run it again',
  not_marked: 'Stripe has not kept the mark: it still bills, and nothing was created here',
  billed_twice: 'it is here, and Stripe bills it as well: let it end there',
  not_lifted: 'Stripe has not lifted the mark: it ends with its period, and is canceled here. Run --undo again',
} as const;

export type Reason = keyof typeof reasons;

/** What stays, and why. `detail` says more where the reason alone does not. */
export type Obstacle = { reason: Reason; detail?: string };

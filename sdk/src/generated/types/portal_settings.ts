// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

/** What customers may do by themselves in the portal, in one mode. */
export type PortalSettings = {
  /** The kind of object. */
  object: 'portal_settings';
  /** Whether customers can add a payment method. */
  add_method: boolean;
  /** Whether customers can remove a payment method. */
  remove_method: boolean;
  /** Whether customers can choose which payment method is charged. */
  default_method: boolean;
  /**
   * Whether customers can cancel a subscription: `off`, `period_end`, which they can take back until then, or
   * `now`, without a refund.
   */
  cancel: 'off' | 'period_end' | 'now';
  /** Whether customers can pause a subscription. */
  pause: boolean;
  /** Whether customers can resume a paused subscription, also one that you have paused. */
  resume: boolean;
  /**
   * The ids of prices among which customers can change, up to 20: active ones that recur, of this mode. A
   * subscription to another price cannot be changed.
   */
  change_price: Array<string>;
  /** Whether customers can change the quantity of what they subscribe to. */
  change_quantity: boolean;
  /** Whether customers can change their email address, name, phone number, address and tax id. */
  edit_details: boolean;
  /** Where customers sign in without a link, by a code that is mailed to them. */
  url: string;
};

export type PortalSettingsUpdateParameters = {
  /** Whether customers can add a payment method. */
  add_method?: boolean | undefined;
  /** Whether customers can remove a payment method. */
  remove_method?: boolean | undefined;
  /** Whether customers can choose which payment method is charged. */
  default_method?: boolean | undefined;
  /**
   * Whether customers can cancel a subscription: `off`, `period_end`, which they can take back until then, or
   * `now`, without a refund.
   */
  cancel?: 'off' | 'period_end' | 'now' | undefined;
  /** Whether customers can pause a subscription. */
  pause?: boolean | undefined;
  /** Whether customers can resume a paused subscription, also one that you have paused. */
  resume?: boolean | undefined;
  /**
   * The ids of prices among which customers can change, up to 20: active ones that recur, of this mode. A
   * subscription to another price cannot be changed.
   */
  change_price?: Array<string> | undefined;
  /** Whether customers can change the quantity of what they subscribe to. */
  change_quantity?: boolean | undefined;
  /** Whether customers can change their email address, name, phone number, address and tax id. */
  edit_details?: boolean | undefined;
};

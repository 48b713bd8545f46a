/** What the customers of an account may do by themselves in the portal, in one mode. */
export type PortalSettings = {
  add_method: boolean;
  remove_method: boolean;
  default_method: boolean;
  /** Whether a subscription can be canceled, and when it ends then. */
  cancel: (typeof cancelChoices)[number];
  pause: boolean;
  resume: boolean;
  /** The ids of the prices among which customers can change. */
  change_price: readonly string[];
  change_quantity: boolean;
  edit_details: boolean;
};

export const cancelChoices = ['off', 'period_end', 'now'] as const;

/** Until an account has chosen: what costs nobody anything, and what customers are entitled to in many places. */
export const portalDefaults: PortalSettings = {
  add_method: true,
  remove_method: true,
  default_method: true,
  cancel: 'period_end',
  pause: false,
  resume: false,
  change_price: [],
  change_quantity: false,
  edit_details: true,
};

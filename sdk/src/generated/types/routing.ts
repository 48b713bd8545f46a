// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

export type Routing = {
  /** The kind of object. */
  object: 'routing';
  /** The first rule that matches a payment decides. */
  rules: Array<RoutingRule>;
};

/** A payment must meet all of it. Absent: the rule matches every payment. */
export type RoutingCondition = {
  /** Any of these currencies. */
  currency?: Array<string>;
  /** Any of these card brands. */
  brand?: Array<string>;
  /** Any of these countries of the billing address. */
  country?: Array<string>;
  /** The amount of the payment, in the smallest unit of its currency. */
  amount?: {
    /** This amount, or more. */
    gte?: number;
    /** Less than this amount. */
    lt?: number;
  };
};

export type RoutingRule = {
  when?: RoutingCondition;
  /** The ids of up to 3 processor accounts, in the order in which they are tried. */
  use: Array<string>;
};

export type RoutingRuleParameters = {
  /** The payment must meet every condition that is named. Without any, the rule matches every payment. */
  when?:
    | {
        /** Any of these currencies: 1 to 200 codes. */
        currency?: Array<string> | undefined;
        /** Any of these card brands: 1 to 200 names. */
        brand?:
          | Array<'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay' | 'unknown'>
          | undefined;
        /**
         * Any of these countries of the billing address: 1 to 200 codes. A payment method without a country matches
         * none.
         */
        country?: Array<string> | undefined;
        /** The amount of the payment, in the smallest unit of its currency. */
        amount?:
          | {
              /** This amount, or more. */
              gte?: number | undefined;
              /** Less than this amount. */
              lt?: number | undefined;
            }
          | undefined;
      }
    | undefined;
  /** The ids of up to 3 processor accounts, in the order in which they are tried. */
  use: Array<string>;
};

export type RoutingUpdateParameters = {
  /**
   * All rules, at most 100: they replace those that were there. The first one that matches a payment says which
   * processors are tried. Without rules the enabled accounts are, oldest first.
   */
  rules: Array<RoutingRuleParameters>;
};

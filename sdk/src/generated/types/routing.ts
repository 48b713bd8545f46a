// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

/** A rule that does not match. */
export type PassedRoutingRule = {
  /** The number of the rule, counted from 1. */
  rule: number;
  /** Why it does not match, one reason for each condition. */
  reasons: Array<string>;
};

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
  /** Any of these brands of the payment method. */
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

/** Where a payment would go whose method no processor keeps. */
export type RoutingPreview = {
  /** The kind of object. */
  object: 'routing_preview';
  /** The number of the rule that matches, counted from 1; absent if there are no rules, or none matches. */
  rule?: number;
  /** What decides, in a sentence. */
  reason: string;
  /** The rules before it, in their order; all of them if none matches. */
  passed: Array<PassedRoutingRule>;
  /**
   * The processor accounts in the order in which they are tried. Without rules and without accounts it is empty:
   * the processor of the mode takes the payment.
   */
  processors: Array<RoutingPreviewProcessor>;
};

export type RoutingPreviewProcessor = {
  /** The id of the processor account. */
  account: string;
  /** Whether it can take the payment. */
  able: boolean;
  /** Why it is passed over. */
  reason?: string;
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
        /** Any of these brands of the payment method: 1 to 200 names. */
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

export type RoutingPreviewParameters = {
  /** In the smallest unit of the currency. */
  amount: number;
  /** A three-letter ISO 4217 currency code that is in use, in either case. */
  currency: string;
  /** The brand of the payment method. */
  brand: 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay' | 'unknown';
  /** Two-letter code of the country of the billing address; without it the country is not known. */
  country?: string | undefined;
};

// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

export type Routing = {
  object: 'routing';
  rules: Array<{
    when?: {
      currency?: Array<string>;
      brand?: Array<string>;
      country?: Array<string>;
      amount?: {
        gte?: number;
        lt?: number;
      };
    };
    use: Array<string>;
  }>;
};

export type RoutingUpdateParameters = {
  /**
   * The first rule that matches a payment says which processors are tried. None: the enabled accounts, oldest
   * first
   */
  rules: Array<{
    when?:
      | {
          /** Any of these currencies */
          currency?: Array<string> | undefined;
          /** Any of these card brands */
          brand?:
            | Array<'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay' | 'unknown'>
            | undefined;
          /** Any of these countries of the billing address; an unknown one matches none */
          country?: Array<string> | undefined;
          amount?:
            | {
                /** At least this amount, in the smallest unit of the currency */
                gte?: number | undefined;
                /** Less than this amount */
                lt?: number | undefined;
              }
            | undefined;
        }
      | undefined;
    /** The ids of up to 3 processor accounts, in the order in which they are tried */
    use: Array<string>;
  }>;
};

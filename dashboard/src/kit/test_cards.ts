/** The cards of the simulator and what becomes of their payments, to choose from in test mode. A test compares them with the simulator. */
export const testCards: Readonly<Record<string, string>> = {
  '4242424242424242': 'Succeeds (Visa)',
  '5555555555554444': 'Succeeds (Mastercard)',
  '378282246310005': 'Succeeds (American Express)',
  '6011111111111117': 'Succeeds (Discover)',
  '3056930009020004': 'Succeeds (Diners Club)',
  '3566002020360505': 'Succeeds (JCB)',
  '6200000000000005': 'Succeeds (UnionPay)',
  '4000000000000002': 'Declined: generic_decline',
  '4000000000009995': 'Declined: insufficient_funds',
  '4000000000009987': 'Declined: lost_card',
  '4000000000009979': 'Declined: stolen_card',
  '4000000000006975': 'Declined: card_velocity_exceeded',
  '4000000000000341': 'Declined: generic_decline, when it is charged',
  '4000000000000069': 'Declined: expired_card',
  '4000000000000127': 'Declined: incorrect_cvc',
  '4000000000000119': 'Declined: processing_error',
  '4000000000003220': 'Asks the cardholder, then succeeds',
  '4000008400001629': 'Asks the cardholder, then is declined',
  '4000002500003155': 'Asks the cardholder the first time',
  '4000000000000259': 'Succeeds, then is disputed as fraudulent',
  '4000000000002685': 'Succeeds, then is disputed as product_not_received',
  '4000000000007726': 'Succeeds; its refunds are pending at first',
  '4000000000005126': 'Succeeds; its refunds come back',
  '4000000000000408': 'Succeeds, and the answer is lost',
  '4000000000000416': 'Never reaches the processor',
};

/** A card that can be sent: far from expiring, with a security code of the right length. */
export function testCardOf(number: string, year: number) {
  const isAmex = /^3[47]/.test(number);
  return { number, exp_month: 12, exp_year: year + 4, cvc: isAmex ? '1234' : '123' };
}

/** `4242 4242 4242 4242`. */
export function groupedDigits(number: string): string {
  return /^3[47]/.test(number)
    ? number.replace(/^(.{4})(.{6})(.{5})$/, '$1 $2 $3')
    : number.replace(/(.{4})(?=.)/g, '$1 ');
}

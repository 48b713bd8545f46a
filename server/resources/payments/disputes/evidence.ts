import { apiError } from './errors.ts';

/** The fields of evidence. They are named as in Stripe's API, which merchants know. */
export const evidenceFields = {
  access_activity_log: 'When and how the customer used what was bought.',
  billing_address: 'The billing address that the customer gave.',
  cancellation_policy: 'Under which terms the customer can cancel.',
  cancellation_policy_disclosure: 'How and when the customer was shown the cancellation policy.',
  cancellation_rebuttal: 'Why the customer was not entitled to cancel.',
  customer_communication: 'What was written to and by the customer about it.',
  customer_email_address: 'The email address that the customer gave.',
  customer_name: 'The name that the customer gave.',
  customer_purchase_ip: 'The address on the internet from which it was bought.',
  customer_signature: 'Where the customer has signed.',
  duplicate_charge_documentation: 'What shows that another charge was for something else.',
  duplicate_charge_explanation: 'Why another charge is no duplicate of this one.',
  duplicate_charge_id: 'The other charge that is taken for a duplicate.',
  product_description: 'What was bought.',
  receipt: 'The receipt, or what the customer was sent in place of one.',
  refund_policy: 'Under which terms the customer gets money back.',
  refund_policy_disclosure: 'How and when the customer was shown the refund policy.',
  refund_refusal_explanation: 'Why the customer is not entitled to a refund.',
  service_date: 'When the service was rendered.',
  service_documentation: 'What shows that the service was rendered.',
  shipping_address: 'Where it was sent to.',
  shipping_carrier: 'Who carried it.',
  shipping_date: 'When it was sent.',
  shipping_documentation: 'What shows that it was sent to the customer.',
  shipping_tracking_number: 'The number by which the carrier knows it.',
  uncategorized_file: 'Anything else: where it can be found.',
  uncategorized_text: 'Anything else, in words.',
} as const;

export type EvidenceField = keyof typeof evidenceFields;
export type Evidence = Partial<Record<EvidenceField, string>>;
/** As a caller sends it: null removes a field. */
export type EvidencePatch = Partial<Record<EvidenceField, string | null>>;

export const fieldCharsMax = 20_000;
const totalBytesMax = 150_000; // as JSON: every event about the dispute contains all of it

/** Merges field by field: fields that are not named stay. Null in place of the object removes all fields. */
export function mergeEvidence(before: Evidence, patch: EvidencePatch | null | undefined): Evidence {
  if (patch === undefined) return before;
  if (patch === null) return {};
  const merged = Object.entries({ ...before, ...patch }).filter(([, text]) => text !== null) as [string, string][];
  const evidence = Object.fromEntries(merged);
  const bytes = Buffer.byteLength(JSON.stringify(evidence));
  const reason = `its fields would have ${bytes} bytes together, written as JSON; they can have ${totalBytesMax}`;
  if (bytes > totalBytesMax) throw apiError('parameter_invalid', { param: 'evidence', reason });
  return evidence;
}

export function hasEvidence(evidence: Evidence): boolean {
  return Object.keys(evidence).length > 0;
}

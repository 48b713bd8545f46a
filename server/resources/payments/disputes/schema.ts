import type { TOptional, TString } from 'typebox';
import { Type } from '../../../base/schema.ts';
import { previousAttributes } from '../../../operations/previous.ts';
import { Reference } from '../../../operations/references.ts';
import {
  Currency,
  Flag,
  MaybeText,
  MetadataParameter,
  MetadataShape,
  Moment,
  OneOf,
  Parameters,
  Personal,
  Shown,
  Text,
  timestampOf,
  Whole,
} from '../../../operations/schemas.ts';
import { from, serializer, timeByClock } from '../../../operations/serializer.ts';
import { type EventDraft, eventsAbout } from '../../../outbox/event.ts';
import { type Dispute, type disputeEvents, disputeStatuses } from './dispute.ts';
import { type EvidenceField, evidenceFields, fieldCharsMax, hasEvidence } from './evidence.ts';

function eachField<Schema>(make: (description: string) => Schema): Record<EvidenceField, Schema> {
  const fields = Object.entries(evidenceFields).map(([name, description]) => [name, make(description)]);
  return Object.fromEntries(fields) as Record<EvidenceField, Schema>;
}

/** Evidence is about a person. */
const text = (description: string): TOptional<TString> =>
  Type.Optional(Personal({ maxLength: fieldCharsMax, description }) as TString);

export const DisputeInput = Parameters({
  evidence: Type.Optional(
    Type.Object(eachField(text), {
      additionalProperties: false,
      description:
        'Texts of up to 20,000 characters each, and of 150,000 bytes together as JSON. They are merged field by field; null or an empty string removes one.',
    }),
  ),
  submit: Type.Optional(
    Type.Boolean({
      description: 'Whether everything that was gathered is sent to the bank now. Otherwise it is only kept.',
    }),
  ),
  metadata: Type.Optional(MetadataParameter),
});

export const DisputeOutput = Shown('Dispute', 'dispute', 'A payment that the cardholder has disputed with the bank.', {
  amount: Whole('What the bank took back, in the smallest unit of the currency. It can be less than the payment.'),
  currency: Currency,
  payment: Reference('payments', 'The id of the disputed payment.'),
  reason: Text("The processor's own code, such as `fraudulent` or `product_not_received`."),
  status: OneOf(
    disputeStatuses,
    '`needs_response`: the bank waits for evidence. `under_review`: evidence was submitted, and the bank decides. `won`: the money was returned to you. `lost`: it stays with the cardholder.',
  ),
  evidence: Type.Object(eachField(MaybeText), {
    title: 'DisputeEvidence',
    description: 'What was gathered. Each member is present when supplied.',
  }),
  evidence_details: Type.Object(
    {
      due_by: Moment('Until when evidence is taken.'),
      has_evidence: Flag('Whether any evidence was gathered.'),
      submission_count: Whole('How many times evidence was submitted.'),
    },
    { title: 'DisputeEvidenceDetails', description: 'How far the answer to the bank has come.' },
  ),
  metadata: Type.Optional(MetadataShape),
  created: Moment('When it was created, by the test clock of the customer if it has one.'),
});

export const serializeDispute = serializer<Dispute, typeof DisputeOutput>(DisputeOutput, {
  evidence_details: from(['evidence', 'due_by', 'submission_count'], ({ evidence, due_by, submission_count }) => ({
    due_by: timestampOf(due_by),
    has_evidence: hasEvidence(evidence),
    submission_count,
  })),
  created: timeByClock,
});

export const disputeEvent = eventsAbout<keyof typeof disputeEvents, Dispute>(serializeDispute);

/** The event of a change that the API shows; none when nothing that is shown has changed. */
export function disputeUpdated(before: Dispute, after: Dispute): EventDraft[] {
  const previous = previousAttributes(serializeDispute(before), serializeDispute(after));
  return previous === undefined ? [] : [disputeEvent('dispute.updated', after, previous)];
}

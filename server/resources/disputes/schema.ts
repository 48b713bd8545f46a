import type { TOptional, TString } from 'typebox';
import { Type } from '../../base/schema.ts';
import { MetadataParameter, MetadataShape, Parameters, Personal, Shown, Timestamp } from '../shapes.ts';
import { disputeStatuses } from './dispute.ts';
import { type EvidenceField, evidenceFields, fieldCharsMax } from './evidence.ts';

function eachField<Schema>(make: (description: string) => Schema): Record<EvidenceField, Schema> {
  const fields = Object.entries(evidenceFields).map(([name, description]) => [name, make(description)]);
  return Object.fromEntries(fields) as Record<EvidenceField, Schema>;
}

/** Evidence is about a person. */
const text = (description: string): TOptional<TString> =>
  Type.Optional(Personal({ maxLength: fieldCharsMax, description }) as TString);

export const DisputeInput = Parameters({
  evidence: Type.Optional(Parameters(eachField(text))),
  submit: Type.Optional(
    Type.Boolean({ description: 'Send all that was gathered to the bank now; otherwise it is only kept' }),
  ),
  metadata: Type.Optional(MetadataParameter),
});

export const DisputeOutput = Shown('Dispute', 'dispute', {
  amount: Type.Integer(),
  currency: Type.String(),
  payment: Type.String(),
  reason: Type.String(),
  status: Type.String({ enum: [...disputeStatuses] }),
  evidence: Type.Object(eachField((description) => Type.Optional(Type.String({ description })))),
  evidence_details: Type.Object({
    due_by: Timestamp,
    has_evidence: Type.Boolean(),
    submission_count: Type.Integer(),
  }),
  metadata: Type.Optional(MetadataShape),
  created: Timestamp,
});

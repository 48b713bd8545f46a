import type { Dispute } from '@tollgate/node';
import { confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import { counted } from '../../kit/counted.ts';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { formatMoney } from '../../kit/money.ts';
import { statusInWords } from '../../kit/status.tsx';
import { countAfter, type evidencePatch, evidenceTitle } from './evidence.ts';

type Patch = ReturnType<typeof evidencePatch>;

const updated = endpointsGet('dispute.updated');

/** Keeps what was written. `onDone`: what the browser has kept of it can go. */
export function saveDraft(dispute: Dispute, patch: NonNullable<Patch>, onDone: () => void): OpenDialog {
  return confirmation({
    title: 'Save evidence as a draft',
    confirm: 'Save draft',
    preview: [
      `Saved: ${Object.keys(patch).map(evidenceTitle).join(', ')}. Nothing is sent to the bank until you submit it.`,
      `The status stays ${statusInWords(dispute.status)}.`,
      updated,
    ],
    run: (api, options) => api.disputes.update(dispute.id, { evidence: patch }, options),
    done: () => 'Draft saved',
    onDone,
  });
}

export function submitEvidence(dispute: Dispute, patch: Patch, onDone: () => void): OpenDialog {
  const { id, amount, currency, evidence, evidence_details } = dispute;
  const fields = countAfter(evidence, patch);
  const shown = formatMoney(amount, currency);
  const isFirst = evidence_details.submission_count === 0;
  return confirmation({
    title: 'Submit the evidence',
    confirm: `Submit the evidence for ${shown}`,
    preview: [
      `${counted(fields, 'field is', 'fields are')} sent to the bank now${isFirst ? '' : ', with what was sent before'}. This cannot be undone.`,
      `The status becomes ${statusInWords('under_review')}. ${shown} stays withdrawn until the bank decides. You get it back if you win.`,
      updated,
    ],
    run: (api, options) =>
      api.disputes.update(id, { submit: true, ...(patch !== undefined && { evidence: patch }) }, options),
    done: ({ status }) => `Evidence submitted: ${statusInWords(status)}`,
    onDone,
  });
}

export function acceptDispute(dispute: Dispute): OpenDialog {
  const shown = formatMoney(dispute.amount, dispute.currency);
  return confirmation({
    title: 'Accept this dispute',
    confirm: `Give up ${shown}`,
    isDangerous: true,
    preview: [
      `You accept the dispute, and the customer keeps ${shown}. The status becomes ${statusInWords('lost')}. This cannot be undone.`,
      `Your balance does not change: ${shown} was deducted when the dispute was opened.`,
      endpointsGet('dispute.closed'),
    ],
    run: (api, options) => api.disputes.close(dispute.id, {}, options),
    done: ({ status }) => `Dispute over ${shown}: ${statusInWords(status)}`,
  });
}

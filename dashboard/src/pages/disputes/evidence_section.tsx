import { Accordion, Button, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core';
import type { Dispute } from '@tollgate/node';
import { useState } from 'react';
import { evidenceFields } from '../../generated/catalog.ts';
import { useDialog } from '../../kit/action_dialog.tsx';
import { Section } from '../../kit/detail_page.tsx';
import { useDraft } from '../../kit/draft.ts';
import { FactList } from '../../kit/fact_list.tsx';
import { useWorkspace } from '../../session/workspace.tsx';
import { saveDraft, submitEvidence } from './actions.tsx';
import style from './disputes.module.css';
import {
  evidenceGroups,
  evidencePatch,
  evidenceTitle,
  type Field,
  openGroups,
  shortFields,
  type Texts,
  wideFields,
} from './evidence.ts';

/** What was gathered against the dispute: a form while it can be sent, a list afterwards. */
export function Evidence({ dispute }: { dispute: Dispute }) {
  const { may } = useWorkspace();
  const { status, evidence, evidence_details } = dispute;
  const isOpen = status === 'needs_response' || status === 'under_review';
  const isInTime = Date.now() / 1_000 <= evidence_details.due_by;
  if (isOpen && isInTime && may('disputes.update')) return <EvidenceForm dispute={dispute} />;
  const given = Object.entries(evidence);
  return (
    <Section title="Evidence" none={given.length === 0 && 'No evidence.'}>
      <FactList facts={given.map(([name, text]) => [evidenceTitle(name), text])} className={style.given} />
    </Section>
  );
}

function EvidenceForm({ dispute }: { dispute: Dispute }) {
  const { mode } = useWorkspace();
  const draft = useDraft('evidence');
  const [texts, setTexts] = useState<Texts>({ ...dispute.evidence, ...draft.restored });
  const { dialog, open } = useDialog();
  const patch = evidencePatch(dispute.evidence, texts);
  const isEmpty = Object.values(texts).every((text) => text.trim() === '');
  return (
    <Section title="Evidence" isFlush>
      <Accordion multiple py={4} defaultValue={openGroups(dispute.reason, dispute.evidence)} order={3}>
        {evidenceGroups.map((group) => (
          <GroupFields
            key={group.key}
            group={group}
            texts={texts}
            onChange={(name, text) => {
              draft.keep(name, text, dispute.evidence[name] ?? '');
              setTexts({ ...texts, [name]: text });
            }}
          />
        ))}
      </Accordion>
      <div className={style.foot}>
        <p>
          {mode === 'test'
            ? 'In test mode a text with winning_evidence wins, and one with losing_evidence loses.'
            : 'Nothing is sent to the bank until you submit it.'}
        </p>
        <Button
          variant="default"
          disabled={patch === undefined}
          onClick={() => open(saveDraft(dispute, patch!, draft.drop))}
        >
          Save as draft
        </Button>
        <Button disabled={isEmpty} onClick={() => open(submitEvidence(dispute, patch, draft.drop))}>
          Submit to the bank
        </Button>
      </div>
      {dialog}
    </Section>
  );
}

type GroupProps = {
  group: (typeof evidenceGroups)[number];
  texts: Texts;
  onChange(name: Field, text: string): void;
};

function GroupFields({ group: { key, title, fields }, texts, onChange }: GroupProps) {
  const filled = fields.filter((name) => (texts[name] ?? '').trim() !== '').length;
  return (
    <Accordion.Item value={key}>
      <Accordion.Control>
        <Text span fw={600}>
          {title}
        </Text>
        {filled > 0 && (
          <Text span ml={8} c="dimmed" size="xs">
            {filled} of {fields.length}
          </Text>
        )}
      </Accordion.Control>
      <Accordion.Panel>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing={14} className={style.fields}>
          {fields.map((name) => (
            <EvidenceField key={name} name={name} text={texts[name] ?? ''} onChange={(text) => onChange(name, text)} />
          ))}
        </SimpleGrid>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

type FieldProps = { name: Field; text: string; onChange(text: string): void };

function EvidenceField({ name, text, onChange }: FieldProps) {
  const common = { label: evidenceTitle(name), description: evidenceFields[name], value: text, maxLength: 20_000 };
  return shortFields.has(name) ? (
    <TextInput {...common} onChange={(event) => onChange(event.currentTarget.value)} />
  ) : (
    <Textarea
      {...common}
      className={wideFields.has(name) ? style.wide : undefined}
      autosize
      minRows={2}
      maxRows={10}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

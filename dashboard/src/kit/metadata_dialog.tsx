import type { Metadata, RequestOptions, Tollgate } from '@tollgate/node';
import { ActionDialog } from './action_dialog.tsx';
import { MetadataFields, useMetadata } from './metadata_fields.tsx';

type MetadataDialogProps = {
  /** `refund`. */
  noun: string;
  metadata: Metadata | undefined;
  run(
    api: Tollgate,
    params: { metadata: Record<string, string | null> },
    options: RequestOptions,
  ): PromiseLike<unknown>;
  onClose(): void;
};

/** Of objects of which nothing else can be changed. */
export function MetadataDialog({ noun, metadata, run, onClose }: MetadataDialogProps) {
  const editing = useMetadata(metadata);
  const { patch, problem } = editing;
  return (
    <ActionDialog
      title="Edit the metadata"
      confirm="Save the metadata"
      params={patch === undefined || problem !== undefined ? undefined : { metadata: patch }}
      preview={[
        patch === undefined ? 'Nothing has changed yet.' : `${patchWords(patch)} No money moves.`,
        <>
          Your webhook endpoints get <code>{noun}.updated</code>.
        </>,
      ]}
      run={run}
      done={() => 'The metadata is saved'}
      onClose={onClose}
    >
      <MetadataFields {...editing} />
    </ActionDialog>
  );
}

/** `Set: order. Removed: plan.` */
export function patchWords(patch: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(patch);
  const removed = names.filter((name) => patch[name] === null);
  const set = names.filter((name) => patch[name] !== null);
  return [
    ...(set.length > 0 ? [`Set: ${set.join(', ')}.`] : []),
    ...(removed.length > 0 ? [`Removed: ${removed.join(', ')}.`] : []),
  ].join(' ');
}

import type { Metadata, RequestOptions, Tollgate } from '@tollgate/node';
import { ActionDialog } from './action_dialog.tsx';
import { MetadataFields, sentencesOf, useMetadata } from './metadata_fields.tsx';

type MetadataProps = {
  metadata: Metadata | undefined;
  /** The event of the change. */
  event: string;
  run(api: Tollgate, params: { metadata: Record<string, unknown> }, options: RequestOptions): PromiseLike<unknown>;
  onClose(): void;
};

/** Of objects of which nothing else is changed with it. */
export function MetadataDialog({ metadata, event, run, onClose }: MetadataProps) {
  const editing = useMetadata(metadata);
  const { changed, isSendable } = editing;
  return (
    <ActionDialog
      title="Edit the metadata"
      confirm="Save the metadata"
      params={isSendable && Object.keys(changed).length > 0 ? { metadata: changed } : undefined}
      preview={[
        ...sentencesOf(changed),
        <>
          Your webhook endpoints get <code>{event}</code>.
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

import type { Event, Metadata, RequestOptions, Tollgate } from '@tollgate/node';
import { ActionDialog } from './action_dialog.tsx';
import { endpointsGet } from './endpoints_get.tsx';
import { MetadataFields, sentencesOf, useMetadata } from './metadata_fields.tsx';

type MetadataProps = {
  metadata: Metadata | undefined;
  /** The event of the change. */
  event: Event['type'];
  run(api: Tollgate, params: { metadata: Record<string, unknown> }, options: RequestOptions): PromiseLike<unknown>;
  onClose(): void;
};

/** Of objects of which nothing else is changed with it. */
export function MetadataDialog({ metadata, event, run, onClose }: MetadataProps) {
  const editing = useMetadata(metadata);
  const { changed, params, isSendable } = editing;
  return (
    <ActionDialog
      title="Edit metadata"
      confirm="Save metadata"
      params={isSendable && params.metadata ? { metadata: params.metadata } : undefined}
      preview={[...sentencesOf(changed), endpointsGet(event)]}
      run={run}
      done={() => 'Metadata saved'}
      onClose={onClose}
    >
      <MetadataFields {...editing} />
    </ActionDialog>
  );
}

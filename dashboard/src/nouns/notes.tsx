import { Box, Button, Group, Stack } from '@mantine/core';
import type { Note, Page } from '@tollgate/node';
import { useState } from 'react';
import { confirmation, type OpenDialog, useDialog } from '../kit/action_dialog.tsx';
import { CreateButton } from '../kit/create_button.tsx';
import { Section } from '../kit/detail_page.tsx';
import { Failure } from '../kit/failure.tsx';
import type { Search } from '../kit/filters.ts';
import { form, textareaField } from '../kit/form_dialog.tsx';
import { Moment } from '../kit/moment.tsx';
import { Paging, positionOf } from '../kit/paging.tsx';
import { useRead } from '../kit/read.ts';
import { useWorkspace } from '../session/workspace.tsx';

const shownMax = 10;
const textMax = 5_000;

/** What people have written down about an object, the newest first. */
export function Notes({ id }: { id: string }) {
  const [search, setSearch] = useState<Search>({});
  const params = { object: id, limit: shownMax, ...positionOf(search) };
  const { data, error, refetch } = useRead<Page<Note>>(
    ['notes', params],
    (api, options) => api.notes.list(params, options),
    { keeps: true },
  );
  const { dialog, open } = useDialog();
  const isNone = data?.data.length === 0 && Object.keys(positionOf(search)).length === 0;
  return (
    <>
      <Section
        title="Notes"
        aside={<CreateButton title="Add note" calls="notes.create" isSmall dialog={addNote(id)} />}
        none={isNone && 'No notes.'}
      >
        {error !== null && data === undefined && <Failure error={error} onRetry={() => void refetch()} />}
        {data !== undefined && (
          <Stack component="ul" gap={14}>
            {data.data.map((note) => (
              <NoteItem key={note.id} note={note} onDelete={() => open(deleteNote(note))} />
            ))}
          </Stack>
        )}
        <Paging page={data} search={search} onChange={setSearch} />
      </Section>
      {dialog}
    </>
  );
}

function NoteItem({ note: { text, author, created }, onDelete }: { note: Note; onDelete(): void }) {
  const { session, has } = useWorkspace();
  const canDelete = author.user === session.user.id || has('people');
  return (
    <li>
      <Box component="p" mb={2} className="as-typed">
        {text}
      </Box>
      <Group gap="0 12px" c="dimmed" fz="sm">
        <span>{author.api_key === undefined ? author.name : `API key ${author.name}`}</span>
        <Moment seconds={created} />
        {canDelete && (
          <Button ml={-8} size="compact-xs" variant="subtle" color="gray" onClick={onDelete}>
            Delete
          </Button>
        )}
      </Group>
    </li>
  );
}

const addNote = (object: string): OpenDialog =>
  form({
    title: 'Add a note',
    fields: {
      text: textareaField('Note', '', { minRows: 3, maxRows: 12, maxLength: textMax, hasFocus: true }),
    },
    describe: ({ text }) => ({
      params: text.trim() === '' ? undefined : { object, text: text.trim() },
      preview: [
        'Everybody in this account can read the note, with your email and the time.',
        'The customer does not see it. No webhook endpoint gets it.',
      ],
      confirm: 'Add the note',
    }),
    run: (api, params, options) => api.notes.create(params, options),
    done: () => 'Note added',
  });

const deleteNote = ({ id, author }: Note): OpenDialog =>
  confirmation({
    title: 'Delete the note',
    isDangerous: true,
    preview: [`The note of ${author.name} is deleted and cannot be restored.`],
    confirm: 'Delete the note',
    run: (api, options) => api.notes.delete(id, options),
    done: () => 'Note deleted',
  });

import { assert } from '../../../base/errors.ts';
import { isId, newId } from '../../../base/id.ts';
import { type Caller, hasRight } from '../../../operations/caller.ts';
import { type Descriptor, requireRow, retrieveOperation } from '../../../operations/descriptor.ts';
import { apiError } from '../../../operations/errors.ts';
import { listPage } from '../../../operations/list.ts';
import { type AnyOperation, type Context, operation, type Part } from '../../../operations/operation.ts';
import type { Declared } from '../../../operations/resource.ts';
import { ListOf } from '../../../operations/schemas.ts';
import { type Notable, notables } from './notables.ts';
import type { ObjectNote } from './note.ts';
import { DeletedNoteOutput, NoteOutput, noteInputs, serializeNote } from './schema.ts';
import { addNote, eraseNote, findNotesOf, notesTable, removeNote } from './store.ts';

const noteDescriptor: Descriptor<ObjectNote> = {
  resource: 'notes',
  noun: 'note',
  prefix: 'note',
  table: notesTable,
  serialize: serializeNote,
  output: NoteOutput,
};
const requireNote = requireRow(noteDescriptor);

function authorOf(caller: Caller): Pick<ObjectNote, 'author_user' | 'author_key' | 'author_name'> {
  if (caller.kind === 'key')
    return { author_user: null, author_key: caller.key.id, author_name: caller.key.name || caller.key.id };
  assert(caller.kind === 'person', 'notes are written by people and keys');
  return { author_user: caller.person.user, author_key: null, author_name: caller.person.email };
}

const create = (kinds: readonly Notable[]) =>
  operation({
    name: 'notes.create',
    summary: 'Write a note',
    description:
      'Keeps a text on an object, for those who work in the account. Customers never see it, it makes no event, and it cannot be changed: delete it, and write another. It is deleted with the customer whom the object is about.',
    route: 'POST /notes',
    right: 'handle',
    input: noteInputs(kinds).create,
    output: NoteOutput,
    errors: apiError.codes('resource_missing'),
    check({ text }) {
      if (text.trim() === '') throw apiError('parameter_invalid', { param: 'text', reason: 'it must not be blank' });
    },
    async run(context, { object: subject, text }) {
      const kind = kinds.find(({ prefix }) => isId(prefix, subject));
      if (kind === undefined) throw apiError('resource_missing', { param: 'object', resource: 'object for notes' });
      const { customer, writes } = await kind.find(context, subject, 'object');
      const { tenant, caller, now } = context;
      const note: ObjectNote = {
        tenant,
        id: newId('note', now),
        version: 1,
        subject,
        customer,
        text,
        ...authorOf(caller),
      };
      return { result: serializeNote(note), objectId: note.id, writes: [addNote(note), ...writes] };
    },
  });

const list = (kinds: readonly Notable[]) =>
  operation({
    name: 'notes.list',
    summary: 'List notes',
    description: 'Returns notes in pages, newest first.',
    route: 'GET /notes',
    input: noteInputs(kinds).list,
    output: ListOf(NoteOutput),
    async run(context, { object: subject, ...input }) {
      const source = {
        table: notesTable,
        prefix: 'note',
        columns: ['subject'],
        serialize: serializeNote,
        url: '/v1/notes',
      };
      return { result: await listPage(context, input, source, { ...(subject !== undefined && { subject }) }) };
    },
  });

/** What somebody has written is theirs; an owner can take it away. */
function refuseStranger(caller: Caller, { author_user, author_key }: ObjectNote): void {
  const isAuthor = caller.kind === 'key' ? caller.key.id === author_key : authorOf(caller).author_user === author_user;
  const isOwner = caller.kind === 'person' && hasRight(caller, 'people');
  if (isAuthor || isOwner) return;
  throw apiError('role_missing', { reason: 'Only the author of a note and owners of the account can delete it.' });
}

const erase = operation({
  name: 'notes.delete',
  summary: 'Delete a note',
  description: 'The author can delete it, and so can an owner of the account.',
  route: 'DELETE /notes/:id',
  right: 'handle',
  output: DeletedNoteOutput,
  errors: apiError.codes('role_missing'),
  async run(context) {
    const note = await requireNote(context);
    refuseStranger(context.caller, note);
    const result = { id: note.id, object: 'note', deleted: true };
    return { result, objectId: note.id, writes: [removeNote(note)] };
  },
});

export function noteOperations(declared: Pick<Declared, 'extensionsOf'>): AnyOperation[] {
  const kinds = declared.extensionsOf(notables);
  return [create(kinds), retrieveOperation(noteDescriptor), list(kinds), erase];
}

/** Deleted with a customer in one commit. */
const erasedMax = 100;

/** The deletion of a customer's notes: as many as one commit may hold. */
export async function eraseNotesOf(
  { reads, tenant }: Pick<Context, 'reads' | 'tenant'>,
  customer: string,
): Promise<Part & { isLast: boolean }> {
  const found = await findNotesOf(reads, tenant, customer, erasedMax + 1);
  return { writes: found.slice(0, erasedMax).map(eraseNote), events: [], isLast: found.length <= erasedMax };
}

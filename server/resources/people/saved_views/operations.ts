import { assert } from '../../../base/errors.ts';
import { isId, newId } from '../../../base/id.ts';
import { apiError } from '../../../operations/errors.ts';
import { pageOf } from '../../../operations/list.ts';
import { type Context, operation } from '../../../operations/operation.ts';
import { rangeOf } from '../../../operations/range.ts';
import { ListOf } from '../../../operations/schemas.ts';
import type { SavedView } from './saved_view.ts';
import {
  DeletedSavedViewOutput,
  NewSavedViewInput,
  SavedViewInput,
  SavedViewOutput,
  SavedViewsInput,
  serializeSavedView,
} from './schema.ts';
import { addView, findView, findViews, hasViews, removeView, replaceView, type Viewer } from './store.ts';

const viewsMax = 100;

/** Every user has views, whatever the role. */
const own = { home: 'directory', callers: ['person'], right: 'read', answersByCaller: true } as const;

function viewerOf({ caller }: Context): Viewer {
  assert(caller.kind === 'person' && caller.account !== null, 'views belong to a person in an account');
  return { account: caller.account, user_id: caller.person.user };
}

async function requireView(context: Context): Promise<SavedView> {
  const { reads, id } = context;
  const found = isId('view', id) ? await findView(reads, viewerOf(context), id) : undefined;
  if (found === undefined) throw apiError('resource_missing', { param: 'id', resource: 'saved view' });
  return found;
}

function checkName(name: string | undefined): void {
  if (name?.trim() === '') throw apiError('parameter_invalid', { param: 'name', reason: 'it must not be blank' });
}

const create = operation({
  ...own,
  name: 'saved_views.create',
  summary: 'Save a view',
  description: `Keeps a page of the dashboard with its filters, for the person who asks, in this account. There can be ${viewsMax}.`,
  route: 'POST /saved_views',
  input: NewSavedViewInput,
  output: SavedViewOutput,
  check: ({ name }) => checkName(name),
  alsoChanges: () => 'saved_views', // how many there are
  async run(context, { name, page, query = '' }) {
    const viewer = viewerOf(context);
    if (await hasViews(context.reads, viewer, viewsMax)) {
      const reason = `there are ${viewsMax} saved views already, which is the limit; delete one`;
      throw apiError('parameter_invalid', { param: 'name', reason });
    }
    const view: SavedView = { ...viewer, id: newId('view', context.now), version: 1, name, page, query };
    return { result: serializeSavedView(view), objectId: view.id, writes: [addView(view)] };
  },
});

const list = operation({
  ...own,
  name: 'saved_views.list',
  summary: 'List saved views',
  description: 'Returns the views of the person who asks, in this account, in pages, newest first.',
  route: 'GET /saved_views',
  input: SavedViewsInput,
  output: ListOf(SavedViewOutput),
  async run(context, { page = null, ...input }) {
    const range = rangeOf(input, 'view');
    const rows = await findViews(context.reads, viewerOf(context), page, range);
    return { result: pageOf(range, rows, { url: '/v1/saved_views', serialize: serializeSavedView }) };
  },
});

const update = operation({
  ...own,
  name: 'saved_views.update',
  summary: 'Update a saved view',
  description: 'Changes only what it names. An empty `query` removes the filters.',
  route: 'POST /saved_views/:id',
  input: SavedViewInput,
  nulls: 'clear',
  output: SavedViewOutput,
  check({ name }) {
    if (name === null) throw apiError('parameter_invalid', { param: 'name', reason: 'it cannot be cleared' });
    checkName(name);
  },
  async run(context, { name, query }) {
    const before = await requireView(context);
    const after = { ...before, name: name ?? before.name, query: query === undefined ? before.query : (query ?? '') };
    const objectId = before.id;
    if (after.name === before.name && after.query === before.query)
      return { result: serializeSavedView(before), objectId };
    return {
      result: serializeSavedView(after),
      objectId,
      writes: [replaceView({ ...after, version: before.version + 1 })],
    };
  },
});

const remove = operation({
  ...own,
  name: 'saved_views.delete',
  summary: 'Delete a saved view',
  description: 'Nothing but the view is lost.',
  route: 'DELETE /saved_views/:id',
  output: DeletedSavedViewOutput,
  async run(context) {
    const view = await requireView(context);
    const result = { id: view.id, object: 'saved_view', deleted: true };
    return { result, objectId: view.id, writes: [removeView(view)] };
  },
});

export const savedViewOperations = [create, list, update, remove];

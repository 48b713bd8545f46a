import { Type } from '../../../base/schema.ts';
import { Created, listParameters, Parameters, Shown, ShownDeleted, Text } from '../../../operations/schemas.ts';
import { serializer, timeInId } from '../../../operations/serializer.ts';
import type { SavedView } from './saved_view.ts';

const nameMax = 100;
const queryMax = 2_000;

const name = Type.String({ maxLength: nameMax, description: 'What the person calls it, up to 100 characters.' });
const page = Type.String({
  pattern: '^[a-z][a-z0-9_/-]{0,99}$',
  description: 'the path of a page of the dashboard, such as payments: lower-case letters, digits, _, - and /',
});
const query = Type.String({
  maxLength: queryMax,
  description: 'The filters, as they stand in the address of the page after the question mark, up to 2,000 characters.',
});

export const NewSavedViewInput = Parameters({ name, page, query: Type.Optional(query) });
export const SavedViewInput = Parameters({ name: Type.Optional(name), query: Type.Optional(query) });
export const SavedViewsInput = Parameters({ ...listParameters, page: Type.Optional(page) });

export const SavedViewOutput = Shown('SavedView', 'saved_view', 'A list with filters to come back to.', {
  name: Text('What the person calls it.'),
  page: Text('The page of the dashboard.'),
  query: Text('The filters, as they stand in the address of the page after the question mark.'),
  created: Created,
});

export const DeletedSavedViewOutput = ShownDeleted('DeletedSavedView', 'saved_view');

export const serializeSavedView = serializer<SavedView, typeof SavedViewOutput>(SavedViewOutput, { created: timeInId });

import { resource } from '../resource.ts';
import { noticeOperations } from './operations.ts';
import { countFailedNotices } from './store.ts';

export const notices = resource({
  name: 'notices',
  operations: noticeOperations,
  measures: [
    {
      name: 'tollgate_notices_failed',
      help: 'Notices of processors that could not be recorded and wait for a person.',
      read: countFailedNotices,
    },
  ],
});

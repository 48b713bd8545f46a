export { InboxPage as Detail } from './detail.tsx';
export { InboxesPage as Page } from './list.tsx';

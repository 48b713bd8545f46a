export { EventPage as Detail } from './detail.tsx';
export { EventsPage as Page } from './list.tsx';

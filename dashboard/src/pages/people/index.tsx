export { UserPage as Detail } from './detail.tsx';
export { PeoplePage as Page } from './list.tsx';

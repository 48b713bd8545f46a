export { EndpointPage as Detail } from './detail.tsx';
export { EndpointsPage as Page } from './list.tsx';

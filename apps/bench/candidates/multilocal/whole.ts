export { Client } from 'multilocal';

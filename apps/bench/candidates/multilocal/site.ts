export * from 'multilocal/site';

"""What the twin knows before anybody calls: time, keys, iwi and who lives in it."""

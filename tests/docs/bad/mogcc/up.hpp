// up.hpp: in a room that the map does not name

// ir.hpp

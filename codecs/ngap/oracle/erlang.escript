#!/usr/bin/env escript
%% An independent PER codec, Erlang's asn1 compiled from our own module, is given the same mutated
%% PDUs. Both have to accept the same ones and to encode them to the same octets; every class of
%% difference has to be explained in differences.txt, and every class there has to occur.
%% usage: erlang.escript NGAP_ASN FRAME_ASN DIFFERENCES MUTANTS-FILE LEAST
-mode(compile).

main([Ngap, Frame, Differences, Mutants, Least]) ->
    Folder = string:trim(os:cmd("mktemp -d")),
    try
        {ok, _} = file:copy(Ngap, Folder ++ "/SpillwayNGAP.asn"),
        {ok, _} = file:copy(Frame, Folder ++ "/SpillwayFrame.asn"),
        Options = [per, maps, {outdir, Folder}, {i, Folder}],
        ok = asn1ct:compile(Folder ++ "/SpillwayFrame.asn", Options),
        ok = asn1ct:compile(Folder ++ "/SpillwayNGAP.asn", Options),
        true = code:add_path(Folder),
        {Tables, Pdus} = read(Mutants),
        Counts = lists:foldl(fun(Pdu, Acc) -> judge(Pdu, Tables, Acc) end, #{}, Pdus),
        halt(report(Counts, length(Pdus), list_to_integer(Least), explained(Differences)))
    after
        os:cmd("rm -rf " ++ Folder)
    end;
main(_) ->
    io:format("usage: erlang.escript NGAP_ASN FRAME_ASN DIFFERENCES MUTANTS LEAST~n"),
    halt(2).

read(File) ->
    {ok, Text} = file:read_file(File),
    Lines = binary:split(Text, <<"\n">>, [global, trim_all]),
    lists:foldl(fun(Line, {Tables, Pdus}) ->
        case binary:split(Line, <<" ">>, [global]) of
            [<<"message">>, Procedure, Kind] ->
                {Tables#{{int(Procedure), int(Kind)} => true}, Pdus};
            [<<"ie">>, Procedure, Kind, Id, Type] ->
                Key = {int(Procedure), int(Kind), int(Id)},
                {Tables#{Key => binary_to_atom(Type)}, Pdus};
            [<<"extension">>, Id, Type] ->
                {Tables#{int(Id) => binary_to_atom(Type)}, Pdus};
            [<<"pdu">>, Hex, <<"accept">>, Again | Note] ->
                {Tables, [{unhex(Hex), {accept, unhex(Again), text(Note)}} | Pdus]};
            [<<"pdu">>, Hex, <<"reject">> | Rule] ->
                {Tables, [{unhex(Hex), {reject, text(Rule)}} | Pdus]}
        end
    end, {#{}, []}, Lines).

text(Words) -> binary_to_atom(iolist_to_binary(lists:join($_, Words))).

int(Text) -> binary_to_integer(Text).

unhex(<<"-">>) -> <<>>;
unhex(Hex) -> binary:decode_hex(Hex).

%% One PDU: what Erlang makes of it, and the class of the difference if there is one.
judge({Pdu, Ours}, Tables, Counts) ->
    Class = class(Ours, attempt(Pdu, Tables)),
    maps:update_with(Class, fun({N, Example}) -> {N + 1, Example} end, {1, Pdu}, Counts).

class({accept, Same, _}, {accept, Same}) -> same;
class({reject, _}, {reject, _, _}) -> both_reject;
class({accept, _, Note}, {accept, _}) -> {differ, Note};
class({accept, _, _}, {reject, encoding, illegal_enumerated}) -> erlang_keeps_but_cannot_encode_enum;
class({accept, _, Note}, {reject, Where, Why}) -> {erlang_rejects, Note, Where, Why};
class({reject, Rule}, {accept, _}) -> {erlang_accepts, Rule}.

attempt(Pdu, Tables) ->
    try pdu(Pdu, Tables) of
        Again -> {accept, Again}
    catch
        throw:{refused, Where, Why} -> {reject, Where, Why}
    end.

pdu(Pdu, Tables) ->
    case decode('SpillwayFrame', 'NGAP-PDU', Pdu) of
        {Alternative, #{procedureCode := Code, value := Value} = Frame} when
              Alternative =:= initiatingMessage; Alternative =:= successfulOutcome;
              Alternative =:= unsuccessfulOutcome ->
            Kind = kind(Alternative),
            Again = case Tables of
                #{{Code, Kind} := true} -> message(Value, {Code, Kind}, Tables);
                #{} -> Value
            end,
            encode('SpillwayFrame', 'NGAP-PDU', {Alternative, Frame#{value := Again}});
        Other ->
            encode('SpillwayFrame', 'NGAP-PDU', Other)
    end.

kind(initiatingMessage) -> 0;
kind(successfulOutcome) -> 1;
kind(unsuccessfulOutcome) -> 2.

message(Value, {Code, Kind}, Tables) ->
    #{protocolIEs := Fields} = Message = decode('SpillwayFrame', 'Message', Value),
    Again = [field(Field, value, maps:get({Code, Kind, maps:get(id, Field)}, Tables, raw), Tables)
             || Field <- Fields],
    encode('SpillwayFrame', 'Message', Message#{protocolIEs := Again}).

field(Field, _, raw, _) -> Field;
field(Field, Key, Type, Tables) ->
    Value = decode('SpillwayNGAP', Type, maps:get(Key, Field)),
    Field#{Key := encode('SpillwayNGAP', Type, extensions(Value, Tables))}.

%% Extensions have types by their id alone, wherever they stand.
extensions(#{id := Id, extensionValue := _} = Field, Tables) ->
    field(Field, extensionValue, maps:get(Id, Tables, raw), Tables);
extensions({'choice-Extensions', #{id := Id} = Field}, Tables) ->
    {'choice-Extensions', field(Field, value, maps:get(Id, Tables, raw), Tables)};
extensions(Map, Tables) when is_map(Map) ->
    maps:map(fun(_, Value) -> extensions(Value, Tables) end, Map);
extensions(List, Tables) when is_list(List) ->
    [extensions(Value, Tables) || Value <- List];
extensions({Name, Value}, Tables) -> {Name, extensions(Value, Tables)};
extensions(Other, _) -> Other.

decode(Module, Type, Binary) ->
    try Module:decode(Type, Binary) of
        {ok, Value} -> Value;
        {ok, Value, _} -> Value;
        {error, Why} -> throw({refused, decoding, reason(Why)})
    catch
        error:_ -> throw({refused, decoding, crash})
    end.

encode(Module, Type, Value) ->
    try Module:encode(Type, Value) of
        {ok, Binary} -> Binary;
        {error, Why} -> throw({refused, encoding, reason(Why)})
    catch
        error:_ -> throw({refused, encoding, crash})
    end.

reason({asn1, {Why, _}}) -> reason({asn1, Why});
reason({asn1, Why}) when is_tuple(Why) -> element(1, Why);
reason({asn1, Why}) -> Why;
reason(Why) when is_atom(Why) -> Why;
reason(_) -> other.

explained(File) ->
    {ok, Text} = file:read_file(File),
    [string:trim(Class) || Line <- string:split(Text, "\n", all), Line =/= <<>>,
                           binary:first(Line) =/= $#, binary:first(Line) =/= $\s,
                           Class <- [hd(string:split(Line, ":"))]].

name(Class) when is_atom(Class) -> atom_to_binary(Class);
name(Class) -> iolist_to_binary(lists:join($\s, [atom_to_binary(X) || X <- tuple_to_list(Class)])).

report(Counts, Total, Least, Explained) ->
    Named = [{name(Class), N, Example} || {Class, {N, Example}} <- maps:to_list(Counts)],
    Bad = lists:foldl(fun({Name, N, Example}, Sum) ->
        Fine = lists:member(Name, [<<"same">>, <<"both_reject">> | Explained]),
        io:format("~6w ~s~s~n", [N, Name, case Fine of
            true -> "";
            false -> io_lib:format("  NOT EXPLAINED, as ~s",
                                   [string:lowercase(binary:encode_hex(Example))])
        end]),
        Sum + case Fine of true -> 0; false -> 1 end
    end, 0, lists:sort(Named)),
    %% a corpus (Least 0) need not show every class
    Stale = [Class || Least > 0, Class <- Explained, not lists:keymember(Class, 1, Named)],
    [io:format("explained, but never seen: ~s~n", [Class]) || Class <- Stale],
    Same = maps:get(same, Counts, {0, <<>>}),
    io:format("~w PDUs~n", [Total]),
    case Bad =:= 0 andalso (Stale =:= [] orelse Least =:= 0) andalso Total >= Least andalso (Least =:= 0 orelse element(1, Same) > Total div 10) of
        true -> 0;
        false -> 1
    end.
